import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Idioms with the locks of java.util.concurrent; marks as in Monitors. */
public class Explicit {
    //: lock.a lock.a proof
    //: lock.early lock.early none
    static class TryFinally {
        private final Lock lock = new ReentrantLock();
        int n, m;
        void a() {
            lock.lock();
            try {
                n++; //@ lock.a
            } finally {
                lock.unlock();
            }
            m++; //@ lock.early
        }
    }

    //: try.a try.a proof
    //: try.b try.b none
    //: try.c try.c proof
    static class Trying {
        final ReentrantLock lock = new ReentrantLock();
        int n, m, k;
        void a() throws InterruptedException {
            if (lock.tryLock()) {
                try {
                    n++; //@ try.a
                } finally {
                    lock.unlock();
                }
            } else {
                m++; //@ try.b
            }
            if (!lock.tryLock(1, TimeUnit.SECONDS)) {
                return;
            }
            k++; //@ try.c
            lock.unlock();
        }
    }

    //: rw.write rw.read proof
    //: rw.wrong rw.wrong none
    //: rw.down rw.write proof
    static class ReadWrite {
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int n, m;
        void write() {
            lock.writeLock().lock();
            n++; //@ rw.write
            lock.readLock().lock();
            lock.writeLock().unlock();
            int seen = n; //@ rw.down
            lock.readLock().unlock();
        }
        int read() {
            lock.readLock().lock();
            try {
                m++; //@ rw.wrong
                return n; //@ rw.read
            } finally {
                lock.readLock().unlock();
            }
        }
    }

    //: views.write views.read proof
    static class Views {
        private final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        private final Lock read = both.readLock();
        private final Lock write = both.writeLock();
        int n;
        void write() {
            write.lock();
            try {
                n++; //@ views.write
            } finally {
                write.unlock();
            }
        }
        int read() {
            read.lock();
            try {
                return n; //@ views.read
            } finally {
                read.unlock();
            }
        }
    }

    //: wrapper.a wrapper.a proof
    //: wrapper.b wrapper.b none
    static class Wrapper {
        private final Lock lock = new ReentrantLock();
        int n, m;
        private void enter() {
            lock.lock();
        }
        private void leave() {
            lock.unlock();
        }
        void a() {
            enter();
            try {
                n++; //@ wrapper.a
            } finally {
                leave();
            }
            m++; //@ wrapper.b
        }
    }

    //: guard.a guard.a proof
    //: guard.b guard.b none
    static class Guard implements AutoCloseable {
        private final Lock lock;
        Guard(Lock lock) {
            this.lock = lock;
            lock.lock();
        }
        @Override public void close() {
            lock.unlock();
        }
    }
    static class Guarded {
        private final Lock lock = new ReentrantLock();
        int n, m;
        void a() {
            try (Guard guard = new Guard(lock)) {
                n++; //@ guard.a
            }
            m++; //@ guard.b
        }
    }

    //: reentrant.a reentrant.a proof
    static class Reentrant {
        private final ReentrantLock lock = new ReentrantLock();
        int n;
        void a() {
            lock.lock();
            inner();
            n++; //@ reentrant.a
            lock.unlock();
        }
        void inner() {
            lock.lock();
            lock.unlock();
        }
    }

    //: released.a released.a none
    static class ReleasedByCallee {
        final ReentrantLock lock = new ReentrantLock();
        int n;
        void a() {
            lock.lock();
            giveUp();
            n++; //@ released.a
        }
        void giveUp() {
            lock.unlock();
        }
    }

    //: condition.a condition.a proof
    static class Conditions {
        final Lock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
        int n;
        void a() throws InterruptedException {
            lock.lock();
            try {
                changed.awaitNanos(1000);
                n++; //@ condition.a
            } finally {
                lock.unlock();
            }
        }
    }

    //: maybe.a maybe.a none
    static class OnOnePath {
        final Lock lock = new ReentrantLock();
        int n;
        void a(boolean locks) {
            if (locks) {
                lock.lock();
            }
            n++; //@ maybe.a
            if (locks) {
                lock.unlock();
            }
        }
    }

    //: stamped.write stamped.valid proof
    //: stamped.write stamped.again proof
    //: stamped.write stamped.invalid none
    static class Stamped {
        final StampedLock lock = new StampedLock();
        int n;
        void write() {
            long stamp = lock.writeLock();
            try {
                n++; //@ stamped.write
            } finally {
                lock.unlockWrite(stamp);
            }
        }
        int read() {
            long stamp = lock.tryOptimisticRead();
            int seen = n; //@ stamped.valid
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                try {
                    seen = n; //@ stamped.again
                } finally {
                    lock.unlockRead(stamp);
                }
            }
            return seen;
        }
        int never() {
            long stamp = lock.tryOptimisticRead();
            return n; //@ stamped.invalid
        }
    }

    //: semaphore.a semaphore.a proof
    static class Mutex {
        private final Semaphore permit = new Semaphore(1);
        int n;
        void a() throws InterruptedException {
            permit.acquire();
            try {
                n++; //@ semaphore.a
            } finally {
                permit.release();
            }
        }
    }

    //: permits.a permits.a none
    static class TwoPermits {
        private final Semaphore permit = new Semaphore(2);
        int n;
        void a() throws InterruptedException {
            permit.acquire();
            try {
                n++; //@ permits.a
            } finally {
                permit.release();
            }
        }
    }

    //: stray.a stray.a none
    static class StrayRelease {
        private final Semaphore permit = new Semaphore(1);
        int n;
        void a() throws InterruptedException {
            permit.acquire();
            n++; //@ stray.a
            permit.release();
        }
        void b() {
            permit.release();
        }
    }

    interface Task {
        void run() throws Exception;
    }

    static Runnable of(Task task) {
        return () -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    static void both(Task a, Task b) {
        new Thread(of(a)).start();
        new Thread(of(b)).start();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            TryFinally tryFinally = new TryFinally();
            both(tryFinally::a, tryFinally::a);
            Trying trying = new Trying();
            both(trying::a, trying::a);
            ReadWrite readWrite = new ReadWrite();
            both(readWrite::write, readWrite::read);
            Views views = new Views();
            both(views::write, views::read);
            Wrapper wrapper = new Wrapper();
            both(wrapper::a, wrapper::a);
            Guarded guarded = new Guarded();
            both(guarded::a, guarded::a);
            Reentrant reentrant = new Reentrant();
            both(reentrant::a, reentrant::a);
            ReleasedByCallee released = new ReleasedByCallee();
            both(released::a, released::a);
            Conditions conditions = new Conditions();
            both(conditions::a, conditions::a);
            OnOnePath path = new OnOnePath();
            both(() -> path.a(true), () -> path.a(false));
            Stamped stamped = new Stamped();
            both(stamped::write, stamped::read);
            both(stamped::write, stamped::never);
            Mutex mutex = new Mutex();
            both(mutex::a, mutex::a);
            TwoPermits permits = new TwoPermits();
            both(permits::a, permits::a);
            StrayRelease stray = new StrayRelease();
            both(stray::a, stray::b);
        }
    }
}
