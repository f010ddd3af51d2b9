// SimpleDateFormat keeps a calendar inside: formatting from two threads races though it looks like a read.
package containers;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.TimeZone;

public class SharedDateFormat {
    private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd");

    static String day(long millis) {
        return FORMAT.format(new Date(millis)); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        FORMAT.setTimeZone(TimeZone.getTimeZone("UTC")); //~ NORACE: before the threads start
        Thread a = new Thread(() -> day(0L));
        Thread b = new Thread(() -> day(86_400_000L));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
