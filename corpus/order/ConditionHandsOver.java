// A Condition of a ReentrantLock tells that the data is there; the data is written before and read after the lock.
package order;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionHandsOver {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private boolean here;
    private String letter;

    void deliver(String text) {
        letter = text; //~ NORACE: before here is set under the lock
        lock.lock();
        try {
            here = true; //~ NORACE: guarded by lock
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    String receive() throws InterruptedException {
        lock.lock();
        try {
            while (!here) { //~ NORACE: guarded by lock
                arrived.await();
            }
        } finally {
            lock.unlock();
        }
        return letter; //~ NORACE: after here was seen under the lock
    }

    public static void main(String[] args) throws Exception {
        ConditionHandsOver box = new ConditionHandsOver();
        Thread postman = new Thread(() -> box.deliver("hello"));
        postman.start();
        System.out.println(box.receive());
        postman.join();
    }
}
