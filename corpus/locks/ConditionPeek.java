// The one-place buffer with a peek that forgets the lock which put and take hold.
package locks;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionPeek {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private String slot;

    void put(String value) {
        lock.lock();
        try {
            slot = value; //~ RACE
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    String take() throws InterruptedException {
        lock.lock();
        try {
            while (slot == null) { //~ NORACE: all writes hold lock
                filled.await();
            }
            return slot; //~ NORACE: all writes hold lock
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        return slot == null; //~ RACE: the lock is not held
    }

    public static void main(String[] args) throws Exception {
        ConditionPeek buffer = new ConditionPeek();
        Thread producer = new Thread(() -> buffer.put("x"));
        producer.start();
        buffer.isEmpty();
        System.out.println(buffer.take());
        producer.join();
    }
}
