package com.acme;

/** Reads events from lines such as `login;3`. */
public class Importer {
    private final Events events = new Events();

    void line(String line) {
        String[] parts = line.split(";");
        events.record(parts[0], parts.length > 1 ? parts[1] : 1);
    }

    int total() {
        return events.totalWeight();
    }

    public static void main(String[] arguments) {
        Importer importer = new Importer();
        importer.line("start");
        importer.line("login;3");
        System.out.println(importer.total());
    }
}
