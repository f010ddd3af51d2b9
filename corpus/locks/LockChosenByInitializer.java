// selvedge: library=locks.LockChosenByInitializer
// A static field that the class initialiser sets more than once: first to null, then to one of two objects.
// Once the class can be used the field never changes, though it is not final, and so it is a good lock.
package locks;

import java.text.DateFormat;
import java.text.SimpleDateFormat;
import java.util.Date;

public class LockChosenByInitializer {
    private static DateFormat format = null;

    static {
        try {
            format = new SimpleDateFormat(System.getProperty("pattern", "yyyy"));
        } catch (IllegalArgumentException invalid) {
            format = new SimpleDateFormat("yyyy-MM-dd");
        }
    }

    public static String today() {
        synchronized (format) {
            return format.format(new Date()); //~ NORACE: both threads lock the formatter that they use
        }
    }
}
