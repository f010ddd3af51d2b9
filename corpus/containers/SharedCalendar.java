// A Calendar is set and read by two threads: setting the time clears fields that the reader computes.
package containers;

import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.TimeZone;

public class SharedCalendar {
    private final Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));

    int yearOf(long millis) {
        calendar.setTimeInMillis(millis); //~ RACE
        return calendar.get(Calendar.YEAR); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        SharedCalendar dates = new SharedCalendar();
        Thread other = new Thread(() -> dates.yearOf(0L));
        other.start();
        System.out.println(dates.yearOf(1_000_000_000_000L) > 0);
        other.join();
    }
}
