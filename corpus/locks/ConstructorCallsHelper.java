// selvedge: library=locks.ConstructorCallsHelper
// The constructor calls helpers without the lock that all others hold: nobody else knows the object yet.
package locks;

public class ConstructorCallsHelper {
    private long millis;
    private int current;

    public ConstructorCallsHelper() {
        restart();
    }

    public synchronized long next() {
        if (current == 1000) { //~ NORACE: guarded by this
            restart();
        }
        current++; //~ NORACE: guarded by this
        return millis + current; //~ NORACE: guarded by this
    }

    private void restart() {
        millis = System.currentTimeMillis(); //~ NORACE: under the lock, or constructed
        reset();
    }

    private void reset() {
        current = 0; //~ NORACE: under the lock, or constructed, two calls away
    }
}
