// The ThreadLocal's initial value is one shared formatter: every thread has its own slot with the same object in it.
package escape;

import java.text.SimpleDateFormat;
import java.util.Date;

public class ThreadLocalShared {
    private static final SimpleDateFormat SHARED = new SimpleDateFormat("yyyy");
    private static final ThreadLocal<SimpleDateFormat> FORMAT = ThreadLocal.withInitial(() -> SHARED);

    static String year(long millis) {
        return FORMAT.get().format(new Date(millis)); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> year(0L));
        other.start();
        System.out.println(year(200_000_000_000L).length() > 0);
        other.join();
    }
}
