// A formatter for each call, and the immutable DateTimeFormatter shared by all: nothing is shared and mutable.
package containers;

import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Date;

public class DateFormatPerCall {
    private static final DateTimeFormatter ISO = DateTimeFormatter.ofPattern("yyyy-MM-dd");

    static String day(long millis) {
        SimpleDateFormat format = new SimpleDateFormat("yyyy");
        return format.format(new Date(millis)); //~ NORACE: made by this call
    }

    static String day(LocalDate date) {
        return ISO.format(date); //~ NORACE: DateTimeFormatter is immutable
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> day(86_400_000L));
        Thread b = new Thread(() -> day(LocalDate.of(2020, 1, 2)));
        a.start();
        b.start();
        System.out.println(day(LocalDate.of(2021, 3, 4)));
        a.join();
        b.join();
    }
}
