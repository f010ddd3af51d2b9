// selvedge: library=open.LazyFlagLockKept
// The twin of LazyFlagCalleeGivesBack: the method that is called takes the lock once more and gives that back.
package open;

import java.util.concurrent.locks.ReentrantLock;

public class LazyFlagLockKept {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean ready;
    private int entries;

    private void breathe() {
        lock.lock();
        Thread.yield();
        lock.unlock();
    }

    public int size() {
        if (!ready) {
            lock.lock();
            try {
                if (!ready) {
                    breathe();
                    entries = 16; //~ NORACE: under the lock, before the flag is set
                    ready = true;
                }
            } finally {
                lock.unlock();
            }
        }
        return entries; //~ NORACE: the flag was seen
    }
}
