import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Locks and synchronizers used so that they do not order two accesses. Threads meet again after the accesses, if at all, at another barrier: who
 * arrives at the same one takes its lock, which the other may take later on its way out of the first meeting.
 */
final class RacyLocks {
    @Suite.Racy
    static void noLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> box.value++, i -> box.value++);
    }

    @Suite.Racy
    static void wrongMonitor(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Object one = new Object();
        Object other = new Object();
        Suite.pair(n, i -> {
            synchronized (one) {
                box.value++;
            }
        }, i -> {
            synchronized (other) {
                box.value++;
            }
        });
    }

    @Suite.Racy
    static void lockOfEachCall(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            synchronized (new Object()) {
                box.value++;
            }
        };
        Suite.pair(n, step, step);
    }

    @Suite.Racy
    static void onlyWriterLocks(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            synchronized (box) {
                box.value++;
            }
        }, i -> Suite.check(box.value >= 0));
    }

    private static int count;

    private static synchronized void addStatic() {
        count++;
    }

    private synchronized void addInstance() {
        count++;
    }

    @Suite.Racy("count")
    static void staticAndInstance(int n) throws Exception {
        RacyLocks other = new RacyLocks();
        Suite.pair(n, i -> addStatic(), i -> other.addInstance());
    }

    @Suite.Racy
    static void wrongLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        Suite.pair(n, i -> {
            one.lock();
            box.value++;
            one.unlock();
        }, i -> {
            other.lock();
            box.value++;
            other.unlock();
        });
    }

    /** The attempt fails while the other has the lock, and the work is done all the same. */
    @Suite.Racy
    static void failedTryLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        Suite.together(() -> {
            lock.lock();
            held.countDown();
            box.value++;
            tried.await();
            lock.unlock();
        }, () -> {
            held.await();
            boolean locked = lock.tryLock();
            box.value++;
            tried.countDown();
            Suite.check(!locked);
        });
    }

    @Suite.Racy
    static void unlockedTooEarly(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ReentrantLock lock = new ReentrantLock();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.Body body = () -> {
            lock.lock();
            lock.unlock();
            Suite.meet(barrier);
            box.value++;
        };
        Suite.together(body, body);
    }

    /** Both have the read lock at the same time, and write. */
    @Suite.Racy
    static void writeUnderReadLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        CyclicBarrier before = new CyclicBarrier(2);
        CyclicBarrier after = new CyclicBarrier(2);
        Suite.Body body = () -> {
            lock.readLock().lock();
            Suite.meet(before);
            box.value++;
            Suite.meet(after);
            lock.readLock().unlock();
        };
        Suite.together(body, body);
    }

    @Suite.Racy
    static void writeUnderStampedRead(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        StampedLock lock = new StampedLock();
        CyclicBarrier before = new CyclicBarrier(2);
        CyclicBarrier after = new CyclicBarrier(2);
        Suite.Body body = () -> {
            long stamp = lock.readLock();
            Suite.meet(before);
            box.value++;
            Suite.meet(after);
            lock.unlockRead(stamp);
        };
        Suite.together(body, body);
    }

    /** The stamp was validated before, not after the read. */
    @Suite.Racy
    static void validatedTooEarly(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        StampedLock lock = new StampedLock();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.together(() -> {
            Suite.meet(barrier);
            long stamp = lock.writeLock();
            box.value++;
            lock.unlockWrite(stamp);
        }, () -> {
            long stamp = lock.tryOptimisticRead();
            Suite.check(lock.validate(stamp));
            Suite.meet(barrier);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void signalBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        boolean[] ready = {false};
        Suite.together(() -> {
            lock.lock();
            ready[0] = true;
            changed.signal();
            lock.unlock();
            box.value = 1;
        }, () -> {
            lock.lock();
            while (!ready[0]) changed.await();
            lock.unlock();
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void notifyBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Object lock = new Object();
        boolean[] ready = {false};
        Suite.together(() -> {
            synchronized (lock) {
                ready[0] = true;
                lock.notifyAll();
            }
            box.value = 1;
        }, () -> {
            synchronized (lock) {
                while (!ready[0]) lock.wait();
            }
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void latchBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch latch = new CountDownLatch(1);
        Suite.together(() -> {
            latch.countDown();
            box.value = 1;
        }, () -> {
            latch.await();
            Suite.check(box.value >= 0);
        });
    }

    /** Two write, and the latch waits for the first of them. */
    @Suite.Racy
    static void latchCountTooLow(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        Suite.together(latch::countDown, () -> {
            box.value = 1;
            read.await();
            latch.countDown();
        }, () -> {
            latch.await();
            Suite.check(box.value >= 0);
            read.countDown();
        });
    }

    @Suite.Racy
    static void latchTimedOut(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch latch = new CountDownLatch(1);
        Suite.together(() -> box.value = 1, () -> {
            Suite.check(!latch.await(1, TimeUnit.MILLISECONDS));
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void readBeforeLatch(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch latch = new CountDownLatch(1);
        Suite.together(() -> {
            box.value = 1;
            latch.countDown();
        }, () -> {
            Suite.check(box.value >= 0);
            latch.await();
        });
    }

    @Suite.Racy
    static void sameSideOfBarrier(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Suite.Body body = () -> {
            barrier.await();
            box.value++;
        };
        Suite.together(body, body);
    }

    @Suite.Racy
    static void barrierOfOne(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.Body body = () -> {
            CyclicBarrier barrier = new CyclicBarrier(1);
            barrier.await();
            box.value++;
            barrier.await();
        };
        Suite.together(body, body);
    }

    @Suite.Racy
    static void arriveBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Phaser phaser = new Phaser(1);
        Suite.together(() -> {
            phaser.arrive();
            box.value = 1;
        }, () -> {
            phaser.awaitAdvance(0);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void samePhase(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Phaser phaser = new Phaser(2);
        Suite.Body body = () -> {
            phaser.arriveAndAwaitAdvance();
            box.value++;
        };
        Suite.together(body, body);
    }

    /** Two permits: two are inside. */
    @Suite.Racy
    static void semaphoreOfTwo(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Semaphore semaphore = new Semaphore(2);
        CyclicBarrier before = new CyclicBarrier(2);
        CyclicBarrier after = new CyclicBarrier(2);
        Suite.Body body = () -> {
            semaphore.acquire();
            Suite.meet(before);
            box.value++;
            Suite.meet(after);
            semaphore.release();
        };
        Suite.together(body, body);
    }

    @Suite.Racy
    static void otherSemaphore(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Semaphore one = new Semaphore(0);
        Semaphore other = new Semaphore(1);
        Suite.together(() -> {
            box.value = 1;
            one.release();
        }, () -> {
            other.acquire();
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void releaseBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Semaphore semaphore = new Semaphore(0);
        Suite.together(() -> {
            semaphore.release();
            box.value = 1;
        }, () -> {
            semaphore.acquire();
            Suite.check(box.value >= 0);
        });
    }
}
