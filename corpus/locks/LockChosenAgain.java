// selvedge: library=locks.LockChosenAgain
// The racy twin: a method replaces the lock while others may hold the old one.
package locks;

import java.util.ArrayList;
import java.util.List;

public class LockChosenAgain {
    private static final List<String> lines = new ArrayList<>();

    private static Object lock = new Object();

    public static void add(String line) {
        synchronized (lock) { //~ RACE
            lines.add(line); //~ RACE
        }
    }

    public static void reset() {
        lock = new Object(); //~ RACE
    }
}
