// The slot and the lock are chosen by different indexes: one slot is reached under different locks.
package locks;

public class LockStripingMismatch {
    private final Object[] locks = {new Object(), new Object()};
    private final int[] counts = new int[4];

    void count(int key, int thread) {
        synchronized (locks[thread]) {
            counts[key]++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        LockStripingMismatch counter = new LockStripingMismatch();
        Thread a = new Thread(() -> counter.count(3, 0));
        Thread b = new Thread(() -> counter.count(3, 1));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
