// A StampedLock used throughout: the optimistic read is validated, and repeated under the read lock if it failed.
// This is the idiom of the class's own documentation: the value of a read that fails validation is thrown away.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedValidated {
    private final StampedLock lock = new StampedLock();
    private double x;
    private double y;

    void move(double dx, double dy) {
        long stamp = lock.writeLock();
        try {
            x += dx; //~ NORACE: write mode
            y += dy; //~ NORACE: write mode
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    double distance() {
        long stamp = lock.tryOptimisticRead();
        double cx = x; //~ NORACE: validated before it is used
        double cy = y; //~ NORACE: validated before it is used
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                cx = x; //~ NORACE: read mode
                cy = y; //~ NORACE: read mode
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return Math.hypot(cx, cy);
    }

    public static void main(String[] args) throws Exception {
        StampedValidated point = new StampedValidated();
        Thread mover = new Thread(() -> point.move(3, 4));
        mover.start();
        double seen = point.distance();
        mover.join();
        System.out.println(seen == 0 || seen == 5);
    }
}
