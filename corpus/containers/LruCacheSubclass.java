// A cache by a subclass of LinkedHashMap in the order of access: looking up reorders, so a read lock is not enough.
package containers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LruCacheSubclass {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        private final int most;

        Lru(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> pages = new Lru<>(10);

    String page(String name) {
        lock.readLock().lock();
        try {
            return pages.get(name); //~ RACE: it moves the entry to the end
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        LruCacheSubclass cache = new LruCacheSubclass();
        cache.pages.put("a", "1");
        Thread first = new Thread(() -> cache.page("a"));
        Thread second = new Thread(() -> cache.page("b"));
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
