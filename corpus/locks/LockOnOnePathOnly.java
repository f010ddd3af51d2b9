// The lock is taken only when the shop is open for others: the other path updates without it.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class LockOnOnePathOnly {
    private final ReentrantLock lock = new ReentrantLock();
    private int stock = 10;

    void sell(boolean careful) {
        if (careful) {
            lock.lock();
        }
        try {
            stock--; //~ RACE
        } finally {
            if (careful) {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        LockOnOnePathOnly shop = new LockOnOnePathOnly();
        Thread customer = new Thread(() -> shop.sell(true));
        customer.start();
        shop.sell(false);
        customer.join();
    }
}
