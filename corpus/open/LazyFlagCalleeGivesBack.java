// selvedge: library=open.LazyFlagCalleeGivesBack
// As LazyFlagInitialised, but a method that is called after the test gives the lock back and takes it again:
// another thread may have set up the table meanwhile.
package open;

import java.util.concurrent.locks.ReentrantLock;

public class LazyFlagCalleeGivesBack {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean ready;
    private int entries;

    private void breathe() {
        lock.unlock();
        Thread.yield();
        lock.lock();
    }

    public int size() {
        if (!ready) {
            lock.lock();
            try {
                if (!ready) {
                    breathe();
                    entries = 16; //~ RACE: the flag may be set by another, who then reads
                    ready = true;
                }
            } finally {
                lock.unlock();
            }
        }
        return entries; //~ RACE: another thread may set it up again
    }
}
