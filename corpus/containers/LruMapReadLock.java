// A LinkedHashMap in access order: even get changes it, so a read lock is not enough.
package containers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LruMapReadLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> lru = new LinkedHashMap<>(16, 0.75f, true);

    String get(String key) {
        lock.readLock().lock();
        try {
            return lru.get(key); //~ RACE
        } finally {
            lock.readLock().unlock();
        }
    }

    void put(String key, String value) {
        lock.writeLock().lock();
        try {
            lru.put(key, value); //~ NORACE: the write lock excludes all readers
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        LruMapReadLock cache = new LruMapReadLock();
        cache.put("a", "1");
        cache.put("b", "2");
        Thread first = new Thread(() -> cache.get("a"));
        Thread second = new Thread(() -> cache.get("b"));
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
