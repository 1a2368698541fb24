package com.acme;

/** Something that is sold. */
public record Article(String number, int cents) {
}
