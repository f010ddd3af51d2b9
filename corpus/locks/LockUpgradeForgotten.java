// selvedge: library=locks.LockUpgradeForgotten
// As LockUpgradedVariable, but the variable still holds the read lock when it is locked again: many may write.
package locks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockUpgradeForgotten {
    private final ReentrantReadWriteLock guard = new ReentrantReadWriteLock(true);
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    public int register(String name) {
        Lock lock = guard.readLock();
        Integer number = null;
        try {
            lock.lock();
            number = numbers.get(name); //~ RACE
            if (number == null) {
                lock.unlock();
                lock.lock();
                number = numbers.get(name); //~ RACE
                if (number == null) {
                    number = names.size(); //~ RACE
                    names.add(name); //~ RACE
                    numbers.put(name, number); //~ RACE
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
            return names.get(number); //~ RACE
        } finally {
            guard.readLock().unlock();
        }
    }
}
