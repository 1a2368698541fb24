package com.acme;

import java.util.HashMap;
import java.util.Map;

/** Articles by number. */
public class Catalog {
    private final Map<String, Article> articles = new HashMap<>();

    public void add(Article article) {
        articles.put(article.number().trim(), article);
    }

    /** The article of this number. */
    public Article byNumber(String number) {
        return articles.get(number);
    }
}
