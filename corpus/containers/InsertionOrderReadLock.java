// A LinkedHashMap in the order of insertion: get only reads, and a read lock is enough.
package containers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class InsertionOrderReadLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> pages = new LinkedHashMap<>(16, 0.75f, false);

    String get(String key) {
        lock.readLock().lock();
        try {
            return pages.get(key); //~ NORACE: the order is that of insertion
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        InsertionOrderReadLock cache = new InsertionOrderReadLock();
        cache.pages.put("a", "1");
        Thread first = new Thread(() -> cache.get("a"));
        Thread second = new Thread(() -> cache.get("b"));
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
