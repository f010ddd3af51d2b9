import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The twins of {@link Indirect}. */
final class RacyIndirect {
    private static final class Counter {
        int value;

        void raise() {
            value++;
        }
    }

    @Suite.Racy
    static void raisedByReflection(int n) throws Exception {
        Counter counter = new Counter();
        Method raise = Counter.class.getDeclaredMethod("raise");
        MethodHandle handle = MethodHandles.lookup().findVirtual(Counter.class, "raise", MethodType.methodType(void.class));
        Suite.pair(n, i -> raise.invoke(counter), i -> {
            try {
                handle.invokeExact(counter);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Suite.Racy
    static void twoLocksByReflection(int n) throws Exception {
        Lock first = new ReentrantLock(), second = new ReentrantLock();
        Method take = Lock.class.getMethod("lock");
        Method give = Lock.class.getMethod("unlock");
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            take.invoke(first);
            box.value++;
            give.invoke(first);
        }, i -> {
            take.invoke(second);
            box.value++;
            give.invoke(second);
        });
    }

    private static final class Cell extends AtomicReference<Suite.Box> {
        Suite.Box look() {
            return super.getPlain();
        }
    }

    @Suite.Racy
    static void extendedAtomicPlain(int n) throws Exception {
        for (int i = 0; i < Math.min(n, 50); i++) {
            Cell cell = new Cell();
            Suite.together(() -> {
                Suite.Box box = new Suite.Box();
                box.value++;
                cell.setPlain(box);
            }, () -> Suite.poll(cell::look).value++);
        }
    }

    @Suite.Racy
    static void atomicPassedOnLater(int n) throws Exception {
        AtomicReference<Suite.Box> cell = new AtomicReference<>();
        MethodHandle set = MethodHandles.lookup().findVirtual(AtomicReference.class, "set", MethodType.methodType(void.class, Object.class));
        Suite.pair(n, i -> {
            Suite.until(() -> cell.get() == null);
            Suite.Box box = new Suite.Box();
            try {
                set.invokeExact(cell, (Object) box);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            box.value++;
        }, i -> Suite.poll(() -> cell.getAndSet(null)).value++);
    }

    /** A thread that sleeps has handed over nothing. */
    @Suite.Racy
    static void stateOfSleeper(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            Thread thread = Suite.thread(() -> {
                box.value++;
                try {
                    Thread.sleep(20_000);
                } catch (InterruptedException e) {
                    // that is enough
                }
            });
            thread.start();
            Suite.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            box.value++;
            thread.interrupt();
            thread.join();
        }
    }

    @Suite.Racy
    static void writeAfterPermitsAsked(int n) throws Exception {
        Semaphore semaphore = new Semaphore(0);
        Phaser phaser = new Phaser(1);
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            semaphore.release();
            phaser.arrive();
            box.value++;
        }, () -> {
            Suite.until(() -> semaphore.availablePermits() == 1 && phaser.getPhase() == 1);
            box.value++;
        });
    }

    /** Under the lock of its entry by one thread only. */
    @Suite.Racy
    static void computedAndLookedUp(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            ConcurrentHashMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
            map.put(1, new Suite.Box());
            AtomicInteger looked = new AtomicInteger();
            Suite.together(() -> {
                map.get(1).value++;
                looked.setOpaque(1);
            }, () -> {
                Suite.until(() -> looked.getOpaque() == 1);
                map.computeIfPresent(1, (key, box) -> {
                    box.value++;
                    return box;
                });
            });
        }
    }

    private static int deep(Suite.Box box, Object lock) {
        synchronized (lock) {
            box.value++;
            return deep(box, lock) + 1;
        }
    }

    /** Two monitors, which an overflow of the stack leaves. */
    @Suite.Racy
    static void overflowUnderTwoLocks(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Object[] locks = {new Object(), new Object()};
        Suite.pair(5, i -> {
            try {
                deep(box, locks[0]);
            } catch (StackOverflowError e) {
                box.value = 0;
            }
        }, i -> {
            try {
                deep(box, locks[1]);
            } catch (StackOverflowError e) {
                box.value = 0;
            }
        });
    }
}
