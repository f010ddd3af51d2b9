// selvedge: library=locks.ConstructorLeaksThenCallsHelper
// The constructor registers the object before it calls a helper without the lock: others may use it by then.
package locks;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class ConstructorLeaksThenCallsHelper {
    private static final List<ConstructorLeaksThenCallsHelper> ALL = new CopyOnWriteArrayList<>();

    private int current;
    private int limit;

    public ConstructorLeaksThenCallsHelper() {
        widen();
        ALL.add(this);
        reset();
    }

    public static void nextOfAll() {
        for (ConstructorLeaksThenCallsHelper one : ALL) {
            one.next();
        }
    }

    public synchronized void next() {
        if (current == limit) { //~ RACE
            reset();
            widen();
        }
        current++; //~ RACE
    }

    private void reset() {
        current = 0; //~ RACE
    }

    private void widen() {
        limit += 1000; //~ NORACE: under the lock, or before the object is registered
    }
}
