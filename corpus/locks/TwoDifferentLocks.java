// Reader and writer each hold a lock, but not the same one.
package locks;

public class TwoDifferentLocks {
    private final Object readLock = new Object();
    private final Object writeLock = new Object();
    private String status = "idle";

    void update(String next) {
        synchronized (writeLock) {
            status = next; //~ RACE
        }
    }

    String status() {
        synchronized (readLock) {
            return status; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        TwoDifferentLocks machine = new TwoDifferentLocks();
        Thread operator = new Thread(() -> machine.update("busy"));
        operator.start();
        System.out.println(machine.status().isEmpty());
        operator.join();
    }
}
