// A lock taken in try-with-resources: open() locks and returns a handle whose close() unlocks.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class AutoCloseableLock {
    static class Guard implements AutoCloseable {
        private final ReentrantLock lock = new ReentrantLock();

        Guard open() {
            lock.lock();
            return this;
        }

        @Override
        public void close() {
            lock.unlock();
        }
    }

    private final Guard guard = new Guard();
    private int entries;

    void enter() {
        try (Guard held = guard.open()) {
            entries++; //~ NORACE: the guard is open
        }
    }

    public static void main(String[] args) throws Exception {
        AutoCloseableLock club = new AutoCloseableLock();
        Thread guest = new Thread(club::enter);
        guest.start();
        club.enter();
        guest.join();
        System.out.println(club.entries);
    }
}
