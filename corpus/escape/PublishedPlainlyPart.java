// Published by a plain store of an atomic reference: who reads it need not see the parts of it either.
package escape;

import java.util.concurrent.atomic.AtomicReference;

public class PublishedPlainlyPart {
    static class Report {
        final int[] lines = new int[2];
    }

    static final AtomicReference<Report> latest = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> {
            Report report = new Report();
            report.lines[0] = 12; //~ RACE
            latest.setPlain(report);
        }).start();
        Report report = latest.get();
        if (report != null) {
            System.out.println(report.lines[0]); //~ RACE
        }
    }
}
