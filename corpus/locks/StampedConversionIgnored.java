// The conversion may fail, and the value is written under the read lock then.
package locks;

import java.util.concurrent.locks.StampedLock;

public class StampedConversionIgnored {
    private final StampedLock lock = new StampedLock();
    private int hits;

    int get() {
        long stamp = lock.readLock();
        try {
            long converted = lock.tryConvertToWriteLock(stamp);
            if (converted != 0) {
                stamp = converted;
            }
            hits++; //~ RACE
            return hits; //~ RACE
        } finally {
            lock.unlock(stamp);
        }
    }

    public static void main(String[] args) throws Exception {
        StampedConversionIgnored cache = new StampedConversionIgnored();
        Thread other = new Thread(cache::get);
        other.start();
        System.out.println(cache.get() > 0);
        other.join();
    }
}
