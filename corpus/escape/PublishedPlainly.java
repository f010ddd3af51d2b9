// Published by a plain store of an atomic reference: who reads it need not see what was written before.
package escape;

import java.util.concurrent.atomic.AtomicReference;

public class PublishedPlainly {
    static class Report {
        int lines;
    }

    static final AtomicReference<Report> latest = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> {
            Report report = new Report();
            report.lines = 12; //~ RACE
            latest.setPlain(report);
        }).start();
        Report report = latest.get();
        if (report != null) {
            System.out.println(report.lines); //~ RACE
        }
    }
}
