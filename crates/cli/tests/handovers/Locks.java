import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Hand-over through monitors, locks and conditions. */
final class Locks {
    private static Suite.Section locked(Lock lock) {
        return body -> {
            lock.lock();
            try {
                body.run();
            } finally {
                lock.unlock();
            }
        };
    }

    @Suite.Safe
    static void monitor(int n) throws Exception {
        Object lock = new Object();
        Suite.sections(n, body -> {
            synchronized (lock) {
                body.run();
            }
        });
    }

    private static int counter;

    private static synchronized void increment() {
        counter++;
    }

    @Suite.Safe
    static void synchronizedStatic(int n) throws Exception {
        Suite.pair(n, i -> increment(), i -> {
            synchronized (Locks.class) {
                counter--;
            }
        });
    }

    private static final class Account {
        private long balance;

        synchronized void add(long amount) {
            balance += amount;
            if (amount > 0) add(-amount);
        }
    }

    @Suite.Safe
    static void synchronizedReentrant(int n) throws Exception {
        Account account = new Account();
        Suite.pair(n, i -> account.add(i), i -> account.add(2L * i));
    }

    @Suite.Safe
    static void waitAndNotify(int n) throws Exception {
        Object lock = new Object();
        int[] turn = {0};
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) throws Exception {
                synchronized (lock) {
                    while (turn[0] < number) lock.wait();
                }
            }

            @Override
            public void pass(int number) {
                synchronized (lock) {
                    turn[0] = number;
                    if ((number & 1) == 0) lock.notify();
                    else lock.notifyAll();
                }
            }
        });
    }

    @Suite.Safe
    static void waitTimed(int n) throws Exception {
        Object lock = new Object();
        Suite.Box[] slot = new Suite.Box[1];
        Suite.stream(n, box -> {
            synchronized (lock) {
                while (slot[0] != null) lock.wait(50);
                slot[0] = box;
                lock.notifyAll();
            }
        }, () -> {
            synchronized (lock) {
                while (slot[0] == null) lock.wait(50, 10);
                Suite.Box box = slot[0];
                slot[0] = null;
                lock.notifyAll();
                return box;
            }
        });
    }

    @Suite.Safe
    static void reentrantLock(int n) throws Exception {
        Suite.sections(n, locked(new ReentrantLock()));
    }

    @Suite.Safe
    static void reentrantLockFair(int n) throws Exception {
        Suite.sections(n, locked(new ReentrantLock(true)));
    }

    @Suite.Safe
    static void reentrantLockTry(int n) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Suite.sections(n, body -> {
            while (!lock.tryLock()) {
                if (lock.tryLock(1, TimeUnit.SECONDS)) break;
            }
            body.run();
            lock.unlock();
        });
        Suite.sections(n, body -> {
            lock.lockInterruptibly();
            lock.lock();
            body.run();
            lock.unlock();
            lock.unlock();
        });
    }

    /** A slot guarded by a lock with two conditions. */
    private static void slot(int n, Lock lock, int how) throws Exception {
        Condition full = lock.newCondition();
        Condition empty = lock.newCondition();
        Suite.Box[] slot = new Suite.Box[1];
        Suite.stream(n, box -> {
            lock.lock();
            try {
                while (slot[0] != null) await(empty, how);
                slot[0] = box;
                if (how == 1) full.signalAll();
                else full.signal();
            } finally {
                lock.unlock();
            }
        }, () -> {
            lock.lock();
            try {
                while (slot[0] == null) await(full, how);
                Suite.Box box = slot[0];
                slot[0] = null;
                empty.signal();
                return box;
            } finally {
                lock.unlock();
            }
        });
    }

    private static void await(Condition condition, int how) throws Exception {
        switch (how) {
            case 0 -> condition.await();
            case 1 -> condition.awaitUninterruptibly();
            case 2 -> condition.await(50, TimeUnit.MILLISECONDS);
            case 3 -> condition.awaitNanos(50_000_000);
            default -> condition.awaitUntil(new Date(System.currentTimeMillis() + 50));
        }
    }

    @Suite.Safe
    static void conditionAwait(int n) throws Exception {
        slot(n, new ReentrantLock(), 0);
    }

    @Suite.Safe
    static void conditionUninterruptibly(int n) throws Exception {
        slot(n, new ReentrantLock(true), 1);
    }

    @Suite.Safe
    static void conditionTimed(int n) throws Exception {
        for (int how = 2; how < 5; how++) slot(n / 2, new ReentrantLock(), how);
    }

    @Suite.Safe
    static void conditionOfWriteLock(int n) throws Exception {
        slot(n, new ReentrantReadWriteLock().writeLock(), 0);
    }

    private static void readersAndWriters(int n, ReadWriteLock lock) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.Body reader = () -> {
            for (int i = 0; i < n; i++) {
                lock.readLock().lock();
                Suite.check(box.value == box.cells[0]);
                lock.readLock().unlock();
            }
        };
        Suite.Body writer = () -> {
            for (int i = 0; i < n; i++) {
                lock.writeLock().lock();
                box.value++;
                box.cells[0]++;
                lock.writeLock().unlock();
            }
        };
        Suite.together(reader, reader, writer);
    }

    @Suite.Safe
    static void readWriteLock(int n) throws Exception {
        readersAndWriters(n, new ReentrantReadWriteLock());
    }

    @Suite.Safe
    static void readWriteLockFair(int n) throws Exception {
        readersAndWriters(n / 2, new ReentrantReadWriteLock(true));
    }

    @Suite.Safe
    static void readWriteLockDowngrade(int n) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            lock.writeLock().lock();
            box.value++;
            lock.readLock().lock();
            lock.writeLock().unlock();
            int seen = box.value;
            lock.readLock().unlock();
            Suite.check(seen > 0);
        };
        Suite.pair(n, step, step);
    }

    @Suite.Safe
    static void stampedLock(int n) throws Exception {
        StampedLock lock = new StampedLock();
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            long stamp = lock.writeLock();
            box.value++;
            box.cells[0]++;
            lock.unlockWrite(stamp);
        }, i -> {
            long stamp = lock.readLock();
            Suite.check(box.value == box.cells[0]);
            lock.unlockRead(stamp);
        });
    }

    @Suite.Safe
    static void stampedLockViews(int n) throws Exception {
        readersAndWriters(n, new StampedLock().asReadWriteLock());
        Suite.sections(n, locked(new StampedLock().asWriteLock()));
    }

    @Suite.Safe
    static void stampedLockConvert(int n) throws Exception {
        StampedLock lock = new StampedLock();
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            long stamp = lock.readLock();
            while (box.value >= 0) {
                long converted = lock.tryConvertToWriteLock(stamp);
                if (converted != 0) {
                    stamp = converted;
                    box.value++;
                    break;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
            lock.unlock(stamp);
        };
        Suite.pair(n, step, step);
        Suite.check(box.value == 2 * n);
    }

    /** What is read between stamp and validation is used only if it holds. */
    @Suite.Safe
    static void stampedLockOptimistic(int n) throws Exception {
        StampedLock lock = new StampedLock();
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            long stamp = lock.writeLock();
            box.value++;
            box.cells[0]++;
            lock.unlockWrite(stamp);
        }, i -> {
            long stamp = lock.tryOptimisticRead();
            int value = box.value;
            int cell = box.cells[0];
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                value = box.value;
                cell = box.cells[0];
                lock.unlockRead(stamp);
            }
            Suite.check(value == cell);
        });
    }

    private static volatile int parkedTurn;

    @Suite.Safe
    static void parkAndUnpark(int n) throws Exception {
        parkedTurn = 0;
        Thread[] threads = new Thread[2];
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                synchronized (threads) {
                    threads[number & 1] = Thread.currentThread();
                }
                while (parkedTurn < number) LockSupport.parkNanos(this, 20_000_000);
            }

            @Override
            public void pass(int number) {
                parkedTurn = number;
                Thread other;
                synchronized (threads) {
                    other = threads[number & 1];
                }
                LockSupport.unpark(other);
            }
        });
    }
}
