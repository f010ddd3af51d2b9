// A read lock that is turned into a write lock where something is missing, or given up for one.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedConverted {
    private final StampedLock lock = new StampedLock();
    private String value;

    String get() {
        long stamp = lock.readLock();
        try {
            while (value == null) { //~ NORACE: under the read lock at least
                long converted = lock.tryConvertToWriteLock(stamp);
                if (converted != 0) {
                    stamp = converted;
                    value = "made"; //~ NORACE: under the write lock
                } else {
                    lock.unlockRead(stamp);
                    stamp = lock.writeLock();
                }
            }
            return value; //~ NORACE: under the read lock at least
        } finally {
            lock.unlock(stamp);
        }
    }

    public static void main(String[] args) throws Exception {
        StampedConverted cache = new StampedConverted();
        Thread other = new Thread(cache::get);
        other.start();
        System.out.println(cache.get());
        other.join();
    }
}
