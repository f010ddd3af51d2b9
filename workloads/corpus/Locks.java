// Locks and meeting points of java.util.concurrent: reentrant, read-write, stamped, conditions, barriers, phasers, exchangers.

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Locks {
    static class Buffer<T> {
        private final Lock lock = new ReentrantLock(true);
        private final Condition filled = lock.newCondition(), emptied = lock.newCondition();
        private T slot;

        void put(T value) throws InterruptedException {
            lock.lock();
            try {
                while (slot != null) emptied.await();
                slot = value;
                filled.signal();
            } finally {
                lock.unlock();
            }
        }

        T take() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (slot == null) filled.await();
                T value = slot;
                slot = null;
                emptied.signalAll();
                return value;
            } finally {
                lock.unlock();
            }
        }
    }

    static class Mutex {
        private static class Sync extends AbstractQueuedSynchronizer {
            @Override protected boolean tryAcquire(int ignored) { return compareAndSetState(0, 1); }
            @Override protected boolean tryRelease(int ignored) { setState(0); return true; }
            @Override protected boolean isHeldExclusively() { return getState() == 1; }
        }
        private final Sync sync = new Sync();
        void lock() { sync.acquire(1); }
        void unlock() { sync.release(1); }
    }

    static class Cache {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final StampedLock stamped = new StampedLock();
        private final Map<String, Integer> map = new HashMap<>();
        private double x;

        Integer get(String key) {
            lock.readLock().lock();
            try {
                return map.get(key);
            } finally {
                lock.readLock().unlock();
            }
        }

        void put(String key, int value) {
            lock.writeLock().lock();
            try {
                map.put(key, value);
            } finally {
                lock.writeLock().unlock();
            }
            long stamp = stamped.writeLock();
            x += value;
            stamped.unlockWrite(stamp);
        }

        double sum() {
            long stamp = stamped.tryOptimisticRead();
            double seen = x;
            if (!stamped.validate(stamp)) {
                stamp = stamped.readLock();
                seen = x;
                stamped.unlockRead(stamp);
            }
            return seen;
        }
    }

    static int counted;

    static void run(int threads, Callable<?> body) throws Exception {
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<?> task = new FutureTask<>(body);
            tasks.add(task);
            new Thread(task).start();
        }
        for (FutureTask<?> task : tasks) task.get();
    }

    public static void main(String[] args) throws Exception {
        Buffer<Integer> buffer = new Buffer<>();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 20; i++) buffer.put(i);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 20; i++) sum += buffer.take();
        System.out.println(sum);

        Mutex mutex = new Mutex();
        run(3, () -> {
            for (int i = 0; i < 50; i++) {
                mutex.lock();
                counted++;
                mutex.unlock();
            }
            return null;
        });
        Cache cache = new Cache();
        run(2, () -> { cache.put("k", 4); cache.get("k"); return cache.sum(); });
        System.out.println(counted + " " + cache.get("k") + " " + cache.sum());

        CyclicBarrier barrier = new CyclicBarrier(3, () -> System.out.println("all here"));
        run(3, barrier::await);
        Semaphore semaphore = new Semaphore(1);
        run(3, () -> { semaphore.acquire(); counted++; semaphore.release(); return null; });
        Phaser phaser = new Phaser(2) {
            @Override protected boolean onAdvance(int phase, int parties) { return phase == 1 || parties == 0; }
        };
        run(2, () -> { while (!phaser.isTerminated()) phaser.arriveAndAwaitAdvance(); return null; });
        Exchanger<String> exchanger = new Exchanger<>();
        Thread other = new Thread(() -> {
            try {
                exchanger.exchange("from thread");
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        other.start();
        System.out.println(exchanger.exchange("from main") + " " + counted + " " + phaser.isTerminated());
        Thread parked = new Thread(LockSupport::park);
        parked.start();
        LockSupport.unpark(parked);
        parked.join();
    }
}
