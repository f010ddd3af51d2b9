// selvedge: library=open.TwoMonitorsLibrary
// Half of the methods lock a private object, the other half `this`.
package open;

public class TwoMonitorsLibrary {
    private final Object lock = new Object();
    private int level;
    private int peak;

    public void raise() {
        synchronized (lock) {
            level++; //~ RACE
            if (level > peak) { //~ NORACE: all writes hold lock
                peak = level; //~ NORACE: guarded by lock
            }
        }
    }

    public synchronized int level() {
        return level; //~ RACE: another monitor
    }

    public int peak() {
        synchronized (lock) {
            return peak; //~ NORACE: guarded by lock
        }
    }
}
