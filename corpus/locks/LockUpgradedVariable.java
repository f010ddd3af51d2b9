// selvedge: library=locks.LockUpgradedVariable
// One variable holds first the read lock, then the write lock; finally unlocks whichever it is. A registry that looks
// first and registers under the write lock only when it must.
package locks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockUpgradedVariable {
    private final ReentrantReadWriteLock guard = new ReentrantReadWriteLock(true);
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    public int register(String name) {
        Lock lock = guard.readLock();
        Integer number = null;
        try {
            lock.lock();
            number = numbers.get(name); //~ NORACE: under the read lock
            if (number == null) {
                lock.unlock();
                lock = guard.writeLock();
                lock.lock();
                number = numbers.get(name); //~ NORACE: under the write lock
                if (number == null) {
                    number = names.size(); //~ NORACE: under the write lock
                    names.add(name); //~ NORACE: under the write lock
                    numbers.put(name, number); //~ NORACE: under the write lock
                }
            }
        } finally {
            lock.unlock();
        }
        return number;
    }

    public String name(int number) {
        guard.readLock().lock();
        try {
            return names.get(number); //~ NORACE: under the read lock
        } finally {
            guard.readLock().unlock();
        }
    }
}
