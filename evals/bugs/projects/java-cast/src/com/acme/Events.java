package com.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events as they come in. */
public class Events {
    private final List<Map<String, Object>> all = new ArrayList<>();

    public void record(String name, Object weight) {
        all.add(Map.of("name", name, "weight", weight));
    }

    int weightOf(Map<String, Object> event) {
        return (Integer) event.get("weight");
    }

    public int totalWeight() {
        int total = 0;
        for (Map<String, Object> event : all) {
            total += weightOf(event);
        }
        return total;
    }
}
