// An object that is stored into a shared array without order: the element races, and with it what was written before.
package escape;

public class PublishedInArray {
    static class Report {
        int lines;
    }

    public static void main(String[] args) {
        Report[] reports = new Report[2];
        new Thread(() -> {
            Report report = new Report();
            report.lines = 12; //~ RACE
            reports[0] = report; //~ RACE
        }).start();
        Report report = reports[0]; //~ RACE
        if (report != null) {
            System.out.println(report.lines); //~ RACE
        }
    }
}
