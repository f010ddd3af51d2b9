// The answer of tryLock is not looked at before the update: without the lock it goes on all the same.
package locks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class TryLockIgnored {
    private final ReentrantLock lock = new ReentrantLock();
    private int refreshed;

    void refresh() throws InterruptedException {
        boolean locked = lock.tryLock(1, TimeUnit.MILLISECONDS);
        refreshed++; //~ RACE
        if (locked) {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        TryLockIgnored cache = new TryLockIgnored();
        Thread other = new Thread(() -> {
            try {
                cache.refresh();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        other.start();
        cache.refresh();
        other.join();
    }
}
