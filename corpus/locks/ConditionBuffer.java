// A one-place buffer with a lock and two conditions: await gives the lock back and takes it again.
package locks;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionBuffer {
    private final Lock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private Integer slot;

    void put(int value) throws InterruptedException {
        lock.lock();
        try {
            while (slot != null) { //~ NORACE: guarded by lock
                emptied.await();
            }
            slot = value; //~ NORACE: guarded by lock
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (slot == null) { //~ NORACE: guarded by lock
                filled.await();
            }
            int value = slot; //~ NORACE: guarded by lock
            slot = null; //~ NORACE: guarded by lock
            emptied.signal();
            return value;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        ConditionBuffer buffer = new ConditionBuffer();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 3; i++) {
                    buffer.put(i);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        System.out.println(buffer.take() + buffer.take() + buffer.take());
        producer.join();
    }
}
