// An early return leaves the lock held for ever. That is a bug, but no race: whoever reaches the data holds the lock.
package locks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class LockLeftOnReturn {
    private final ReentrantLock lock = new ReentrantLock();
    private int stock = 1;

    boolean sell() throws InterruptedException {
        if (!lock.tryLock(20, TimeUnit.MILLISECONDS)) {
            return false;
        }
        if (stock == 0) { //~ NORACE: guarded by lock
            return false;
        }
        stock--; //~ NORACE: guarded by lock
        lock.unlock();
        return true;
    }

    public static void main(String[] args) throws Exception {
        LockLeftOnReturn shop = new LockLeftOnReturn();
        Thread customer = new Thread(() -> {
            try {
                shop.sell();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        customer.start();
        shop.sell();
        customer.join();
        System.out.println("closed");
    }
}
