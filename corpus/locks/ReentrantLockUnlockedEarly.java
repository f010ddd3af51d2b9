// The lock is released before the update that it should protect.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLockUnlockedEarly {
    private final ReentrantLock lock = new ReentrantLock();
    private int seats = 10;

    boolean book() {
        boolean free;
        lock.lock();
        try {
            free = seats > 0; //~ RACE
        } finally {
            lock.unlock();
        }
        if (free) {
            seats--; //~ RACE
        }
        return free;
    }

    public static void main(String[] args) throws Exception {
        ReentrantLockUnlockedEarly flight = new ReentrantLockUnlockedEarly();
        Thread agent = new Thread(flight::book);
        agent.start();
        flight.book();
        agent.join();
    }
}
