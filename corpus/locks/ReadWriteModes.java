// Readers hold the read lock, the writer the write lock: the two modes exclude each other.
package locks;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteModes {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private double rate = 1.0;

    double rate() {
        lock.readLock().lock();
        try {
            return rate; //~ NORACE: read mode
        } finally {
            lock.readLock().unlock();
        }
    }

    void change(double next) {
        lock.writeLock().lock();
        try {
            rate = next; //~ NORACE: write mode
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        ReadWriteModes table = new ReadWriteModes();
        Thread bank = new Thread(() -> table.change(1.2));
        Thread reader = new Thread(table::rate);
        bank.start();
        reader.start();
        bank.join();
        reader.join();
        System.out.println(table.rate());
    }
}
