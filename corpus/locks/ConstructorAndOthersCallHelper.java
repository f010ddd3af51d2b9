// selvedge: library=locks.ConstructorAndOthersCallHelper
// The constructor calls a helper without the lock, and rightly so; another method does the same, and has no excuse.
package locks;

public class ConstructorAndOthersCallHelper {
    private int current;
    private int limit;

    public ConstructorAndOthersCallHelper() {
        reset();
        widen();
    }

    public synchronized void next() {
        if (current == limit) { //~ RACE
            reset();
            widen();
        }
        current++; //~ RACE
    }

    public void clear() {
        reset();
    }

    private void reset() {
        current = 0; //~ RACE
    }

    private void widen() {
        limit += 1000; //~ NORACE: under the lock, or constructed
    }
}
