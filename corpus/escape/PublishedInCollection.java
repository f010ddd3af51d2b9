// An object that is put into a shared list without order: the list races, and with it what was written before.
package escape;

import java.util.ArrayList;
import java.util.List;

public class PublishedInCollection {
    static class Report {
        int lines;
    }

    public static void main(String[] args) {
        List<Report> reports = new ArrayList<>();
        new Thread(() -> {
            Report report = new Report();
            report.lines = 12; //~ RACE
            reports.add(report); //~ RACE
        }).start();
        if (!reports.isEmpty()) { //~ RACE
            Report report = reports.get(0); //~ RACE
            System.out.println(report.lines); //~ RACE
        }
    }
}
