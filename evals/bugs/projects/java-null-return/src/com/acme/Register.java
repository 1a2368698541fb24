package com.acme;

import java.util.List;

/** Adds up what customers buy. */
public class Register {
    private final Catalog catalog;

    public Register(Catalog catalog) {
        this.catalog = catalog;
    }

    int priceOf(String number) {
        return catalog.byNumber(number).cents();
    }

    public int total(List<String> numbers) {
        int total = 0;
        for (String number : numbers) {
            total += priceOf(number);
        }
        return total;
    }

    public static void main(String[] arguments) {
        Catalog catalog = new Catalog();
        catalog.add(new Article("100", 250));
        catalog.add(new Article("200 ", 400));
        System.out.println(new Register(catalog).total(List.of("100", "200 ")));
    }
}
