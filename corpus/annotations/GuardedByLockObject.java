// @GuardedBy names a ReentrantLock, and a helper method is declared to be called with the lock held.
package annotations;

import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.concurrent.GuardedBy;

public class GuardedByLockObject {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int level;

    void raise(int by) {
        lock.lock();
        try {
            adjust(by);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void adjust(int by) {
        level += by; //~ NORACE: the only caller holds lock
    }

    public static void main(String[] args) throws Exception {
        GuardedByLockObject tank = new GuardedByLockObject();
        Thread other = new Thread(() -> tank.raise(1));
        other.start();
        tank.raise(2);
        other.join();
        System.out.println(tank.level); //~ NORACE: after the join
    }
}
