package com.acme;

import java.util.ArrayList;
import java.util.List;

/** Messages that wait to be read. */
public class Inbox {
    private final List<String> messages = new ArrayList<>();

    public void receive(String message) {
        messages.add(message);
    }

    void delete(String message) {
        messages.remove(message);
    }

    /** Throw away what nobody wants. */
    public int clean() {
        int removed = 0;
        for (String message : messages) {
            if (message.startsWith("SPAM")) {
                delete(message);
                removed++;
            }
        }
        return removed;
    }
}
