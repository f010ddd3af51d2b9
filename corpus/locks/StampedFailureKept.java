// An optimistic read whose failed validation is only counted: the value is used all the same.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedFailureKept {
    private final StampedLock lock = new StampedLock();
    private int x;

    void move() {
        long stamp = lock.writeLock();
        try {
            x++; //~ RACE: with the read that is used though it was not validated
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    int read() {
        long stamp = lock.tryOptimisticRead();
        int seen = x; //~ RACE: used even if the validation fails
        if (!lock.validate(stamp)) {
            System.out.println("not valid");
        }
        return seen;
    }

    public static void main(String[] args) {
        StampedFailureKept point = new StampedFailureKept();
        new Thread(point::move).start();
        new Thread(() -> System.out.println(point.read())).start();
    }
}
