package com.acme;

/** A report with a title. */
public class Report {
    private String title;
    private final StringBuilder body = new StringBuilder();

    public Report(String title) {
        title = title.trim();
    }

    public void add(String line) {
        body.append(line).append('\n');
    }

    public String render() {
        return heading() + body;
    }

    private String heading() {
        return title.toUpperCase() + "\n";
    }

    public static void main(String[] arguments) {
        Report report = new Report(" Sales ");
        report.add("pens: 3");
        System.out.println(report.render());
    }
}
