// selvedge: library=open.TimedCache
// A cache with expiry: a ReadWriteLock guards the map, entries are immutable but for a volatile time stamp; loading
// is outside the lock, and the loser of two loads takes the winner's value.
package open;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

public class TimedCache {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Entry> entries = new HashMap<>();
    private final Function<String, String> loader = String::toUpperCase;
    private volatile long lifetime = 1000;

    public String get(String key) {
        Entry entry = find(key);
        if (entry != null && !entry.isOld(lifetime)) {
            entry.touch();
            return entry.value; //~ NORACE: final
        }
        return store(key, loader.apply(key));
    }

    private Entry find(String key) {
        lock.readLock().lock();
        try {
            return entries.get(key); //~ NORACE: under the read lock
        } finally {
            lock.readLock().unlock();
        }
    }

    private String store(String key, String value) {
        lock.writeLock().lock();
        try {
            Entry known = entries.get(key); //~ NORACE: under the write lock
            if (known != null && !known.isOld(lifetime)) {
                return known.value;
            }
            entries.put(key, new Entry(value)); //~ NORACE: under the write lock
            return value;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public void evict() {
        lock.writeLock().lock();
        try {
            Iterator<Entry> all = entries.values().iterator(); //~ NORACE: under the write lock
            while (all.hasNext()) { //~ NORACE: under the write lock
                if (all.next().isOld(lifetime)) { //~ NORACE: under the write lock
                    all.remove(); //~ NORACE: under the write lock
                }
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    public void setLifetime(long millis) {
        lifetime = millis; //~ NORACE: volatile
    }

    private static final class Entry {
        final String value;
        volatile long used = System.currentTimeMillis();

        Entry(String value) {
            this.value = value;
        }

        boolean isOld(long lifetime) {
            return System.currentTimeMillis() - used > lifetime; //~ NORACE: volatile
        }

        void touch() {
            used = System.currentTimeMillis(); //~ NORACE: volatile
        }
    }
}
