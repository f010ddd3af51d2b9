// An object that is published in order, and read from the atomic reference without order.
package escape;

import java.util.concurrent.atomic.AtomicReference;

public class ReadPlainly {
    static class Report {
        int lines;
    }

    static final AtomicReference<Report> latest = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> {
            Report report = new Report();
            report.lines = 12; //~ RACE
            latest.set(report);
        }).start();
        Report report = latest.getPlain();
        if (report != null) {
            System.out.println(report.lines); //~ RACE
        }
    }
}
