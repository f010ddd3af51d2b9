import java.util.concurrent.locks.*;
import java.util.concurrent.TimeUnit;

/** Explicit locks: reentrant, conditions, read-write, tryLock, stamped, LockSupport. */
public class Locks {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CHANGED = LOCK.newCondition();
    static int stage, counter;

    static void await(int wanted) throws InterruptedException {
        LOCK.lock();
        try {
            while (stage != wanted) CHANGED.await();
        } finally {
            LOCK.unlock();
        }
    }

    static void advance() {
        LOCK.lock();
        try {
            stage++;
            CHANGED.signalAll();
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        StringBuffer log = new StringBuffer();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        LOCK.lock();
                        LOCK.lock();
                        counter += LOCK.getHoldCount();
                        LOCK.unlock();
                        LOCK.unlock();
                    }
                    await(threads.length - 1 - me);
                    log.append(me);
                    advance();
                } catch (InterruptedException e) {
                    log.append("!");
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(log + " " + counter + " " + LOCK.isLocked());
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int[] shared = new int[1];
        Thread[] mixed = new Thread[4];
        for (int t = 0; t < 4; t++) {
            boolean writes = t % 2 == 0;
            (mixed[t] = new Thread(() -> {
                for (int i = 0; i < 10; i++) {
                    Lock l = writes ? rw.writeLock() : rw.readLock();
                    l.lock();
                    try {
                        if (writes) shared[0]++;
                        else if (rw.isWriteLocked()) System.out.println("broken");
                    } finally {
                        l.unlock();
                    }
                }
            })).start();
        }
        for (Thread t : mixed) t.join();
        System.out.println(shared[0]);
        LOCK.lock();
        boolean[] got = new boolean[2];
        Thread tries = new Thread(() -> {
            got[0] = LOCK.tryLock();
            try {
                got[1] = LOCK.tryLock(2, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                got[1] = true;
            }
        });
        tries.start();
        tries.join();
        LOCK.unlock();
        System.out.println(got[0] + " " + got[1] + " " + LOCK.tryLock());
        try {
            new ReentrantLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not locked");
        }
        Thread parked = new Thread(() -> {
            LockSupport.park();
            log.append(" unparked");
        });
        parked.start();
        LockSupport.unpark(parked);
        parked.join();
        StampedLock stamped = new StampedLock();
        long s = stamped.tryOptimisticRead();
        boolean before = stamped.validate(s);
        stamped.unlockWrite(stamped.writeLock());
        System.out.println(log + " " + before + stamped.validate(s));
    }
}
