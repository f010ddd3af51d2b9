package credence;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Operations around which helpers take a lock for writing, and others around which they take it for reading. */
public class Managed {
    /** What operations change. */
    static class Store {
        private int doubtedWritten;
        private int credibleRead;

        void write() {
            if (doubtedWritten++ > 3) {
                doubtedWritten = 0;
            }
        }

        void read() {
            if (credibleRead++ > 3) {
                credibleRead = 0;
            }
        }
    }

    /** Carries out operations. */
    public static class Manager {
        private final ReadWriteLock plain = new ReentrantReadWriteLock();
        private final ReadWriteLock fair = new ReentrantReadWriteLock(true);
        private volatile boolean isFair;

        public void setFair(boolean isFair) {
            this.isFair = isFair;
        }

        private ReadWriteLock lock() {
            return isFair ? fair : plain;
        }

        void lockWrite() {
            lock().writeLock().lock();
        }

        void unlockWrite() {
            lock().writeLock().unlock();
        }

        void lockRead() {
            lock().readLock().lock();
        }

        void unlockRead() {
            lock().readLock().unlock();
        }

        void change(Store store) {
            lockWrite();
            try {
                store.write();
            } finally {
                unlockWrite();
            }
        }

        void look(Store store) {
            lockRead();
            try {
                store.read();
            } finally {
                unlockRead();
            }
        }
    }

    private static final Store STORE = new Store();
    private static volatile Manager manager = new Manager();

    public static void setManager(Manager other) {
        manager = other;
    }

    public static void change() {
        manager.change(STORE);
    }

    public static void look() {
        manager.look(STORE);
    }
}
