// A StampedLock with plain read and write modes, no optimistic reads.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedPessimistic {
    private final StampedLock lock = new StampedLock();
    private int x;

    void move(int dx) {
        long stamp = lock.writeLock();
        try {
            x += dx; //~ NORACE: write mode
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    int position() {
        long stamp = lock.readLock();
        try {
            return x; //~ NORACE: read mode
        } finally {
            lock.unlockRead(stamp);
        }
    }

    public static void main(String[] args) throws Exception {
        StampedPessimistic point = new StampedPessimistic();
        Thread mover = new Thread(() -> point.move(3));
        mover.start();
        int seen = point.position();
        mover.join();
        System.out.println(seen == 0 || seen == 3);
    }
}
