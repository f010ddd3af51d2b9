// An optimistic read that comes after the validation.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedValidatedTooEarly {
    private final StampedLock lock = new StampedLock();
    private int x;

    void move() {
        long stamp = lock.writeLock();
        try {
            x++; //~ RACE: with the read after the validation
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    int read() {
        long stamp = lock.tryOptimisticRead();
        if (!lock.validate(stamp)) {
            return 0;
        }
        return x; //~ RACE: the validation came before
    }

    public static void main(String[] args) {
        StampedValidatedTooEarly point = new StampedValidatedTooEarly();
        new Thread(point::move).start();
        new Thread(() -> System.out.println(point.read())).start();
    }
}
