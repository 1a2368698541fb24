package com.acme;

/** The mail program. */
public class Mail {
    public static void main(String[] arguments) {
        Inbox inbox = new Inbox();
        inbox.receive("SPAM win a prize");
        inbox.receive("Lunch at noon?");
        inbox.receive("SPAM cheap watches");
        System.out.println(inbox.clean() + " removed");
    }
}
