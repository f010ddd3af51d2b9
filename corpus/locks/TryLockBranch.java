// The update stands on the branch where tryLock has succeeded; the other branch leaves the data alone.
package locks;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class TryLockBranch {
    private final Lock lock = new ReentrantLock();
    private int refreshed;

    void refresh() {
        if (lock.tryLock()) {
            try {
                refreshed++; //~ NORACE: tryLock succeeded
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        TryLockBranch cache = new TryLockBranch();
        Thread a = new Thread(cache::refresh);
        Thread b = new Thread(cache::refresh);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(cache.refreshed > 0);
    }
}
