// Downgrading: the read lock is taken before the write lock is given up, so the value is protected throughout.
package locks;

import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockDowngrade {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private String config = "";

    String reload(String text) {
        lock.writeLock().lock();
        try {
            config = text; //~ NORACE: write mode
            lock.readLock().lock();
        } finally {
            lock.writeLock().unlock();
        }
        try {
            return config; //~ NORACE: read mode
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        LockDowngrade settings = new LockDowngrade();
        Thread admin = new Thread(() -> settings.reload("a"));
        admin.start();
        settings.reload("b");
        admin.join();
        System.out.println("reloaded");
    }
}
