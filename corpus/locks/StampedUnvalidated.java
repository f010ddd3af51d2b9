// The optimistic read is used without validation: nothing excludes the writer.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedUnvalidated {
    private final StampedLock lock = new StampedLock();
    private double x;
    private double y;

    void move(double dx, double dy) {
        long stamp = lock.writeLock();
        try {
            x += dx; //~ RACE
            y += dy; //~ RACE
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    double distance() {
        long stamp = lock.tryOptimisticRead();
        return stamp == 0 ? -1 : Math.hypot(x, y); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        StampedUnvalidated point = new StampedUnvalidated();
        Thread mover = new Thread(() -> point.move(3, 4));
        mover.start();
        System.out.println(point.distance() >= -1);
        mover.join();
    }
}
