// The locks of the stripes are made by a loop in the constructor.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class LockStripingLoop {
    private final ReentrantLock[] locks;
    private final long[] sums = new long[8];

    LockStripingLoop() {
        locks = new ReentrantLock[8];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock(); //~ NORACE: the constructor
        }
    }

    void add(int key, long value) {
        int stripe = key & 7;
        locks[stripe].lock(); //~ NORACE: never changed after the constructor
        try {
            sums[stripe] += value; //~ NORACE: the same index names lock and slot
        } finally {
            locks[stripe].unlock(); //~ NORACE: never changed after the constructor
        }
    }

    public static void main(String[] args) throws Exception {
        LockStripingLoop sums = new LockStripingLoop();
        Thread a = new Thread(() -> sums.add(3, 1));
        a.start();
        sums.add(11, 2);
        a.join();
        System.out.println(sums.sums[3]); //~ NORACE: after the join
    }
}
