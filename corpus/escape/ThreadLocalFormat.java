// A formatter for each thread, kept in a ThreadLocal: never seen by two threads.
package escape;

import java.text.SimpleDateFormat;
import java.util.Date;

public class ThreadLocalFormat {
    private static final ThreadLocal<SimpleDateFormat> FORMAT =
        ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));

    static String year(long millis) {
        return FORMAT.get().format(new Date(millis)); //~ NORACE: one formatter for each thread
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> year(0L));
        other.start();
        System.out.println(year(200_000_000_000L));
        other.join();
    }
}
