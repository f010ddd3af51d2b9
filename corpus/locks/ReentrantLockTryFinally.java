// ReentrantLock with the standard try/finally shape in both methods.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLockTryFinally {
    private final ReentrantLock lock = new ReentrantLock();
    private int seats = 10;

    boolean book() {
        lock.lock();
        try {
            if (seats == 0) { //~ NORACE: guarded by lock
                return false;
            }
            seats--; //~ NORACE: guarded by lock
            return true;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        ReentrantLockTryFinally flight = new ReentrantLockTryFinally();
        Thread agent = new Thread(flight::book);
        agent.start();
        flight.book();
        agent.join();
        System.out.println(flight.seats);
    }
}
