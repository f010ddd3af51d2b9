// Counting the reads under the read lock: several readers hold it at once, so the increment races with itself.
package locks;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class WriteUnderReadLock {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private double rate = 1.0;
    private int reads;

    double rate() {
        lock.readLock().lock();
        try {
            reads++; //~ RACE
            return rate; //~ NORACE: only written in write mode
        } finally {
            lock.readLock().unlock();
        }
    }

    void change(double next) {
        lock.writeLock().lock();
        try {
            rate = next; //~ NORACE: write mode
            reads = 0; //~ NORACE: the write lock excludes all readers
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        WriteUnderReadLock table = new WriteUnderReadLock();
        Thread a = new Thread(table::rate);
        Thread b = new Thread(table::rate);
        a.start();
        b.start();
        table.change(2.0);
        a.join();
        b.join();
    }
}
