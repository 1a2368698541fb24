package com.acme;

import java.util.ArrayList;
import java.util.List;

/** Prices from a table such as `pen;1.20`. */
public class Prices {
    static String[] cells(String line) {
        return line.split(",");
    }

    static double price(String line) {
        String[] cells = cells(line);
        return Double.parseDouble(cells[cells.length - 1]);
    }

    static double sum(List<String> lines) {
        double sum = 0;
        for (String line : lines) {
            sum += price(line);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        List<String> lines = new ArrayList<>();
        lines.add("pen;1.20");
        lines.add("ink;5.40");
        System.out.println(sum(lines));
    }
}
