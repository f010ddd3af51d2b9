// selvedge: library=open.TimedCacheHits
// A ReadWriteLock cache whose readers count and note the time of use under the read lock: readers run together.
package open;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class TimedCacheHits {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Entry> entries = new HashMap<>();
    private int hits;

    public String get(String key) {
        lock.readLock().lock();
        try {
            Entry entry = entries.get(key); //~ NORACE: under the read lock
            if (entry == null) {
                return null;
            }
            hits++; //~ RACE
            entry.used = System.nanoTime(); //~ RACE
            return entry.value;
        } finally {
            lock.readLock().unlock();
        }
    }

    public void put(String key, String value) {
        lock.writeLock().lock();
        try {
            entries.put(key, new Entry(value)); //~ NORACE: under the write lock
        } finally {
            lock.writeLock().unlock();
        }
    }

    public int hits() {
        lock.readLock().lock();
        try {
            return hits; //~ RACE
        } finally {
            lock.readLock().unlock();
        }
    }

    private static final class Entry {
        final String value;
        long used;

        Entry(String value) {
            this.value = value;
        }
    }
}
