import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** The twins of {@link Modern}. */
final class RacyModern {
    private static void end(ExecutorService pool) throws Exception {
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    /** Another pool is quiet. */
    @Suite.Racy
    static void quiescenceOfAnother(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        ForkJoinPool other = new ForkJoinPool(2);
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            AtomicBoolean done = new AtomicBoolean();
            pool.execute(() -> {
                box.value++;
                done.setOpaque(true);
            });
            Suite.check(other.awaitQuiescence(20, TimeUnit.SECONDS));
            // A task that is late has learned of this thread from the next one.
            Suite.until(done::getOpaque);
            box.value++;
        }
        end(pool);
        end(other);
    }

    private static final class Plain {
        int value;
        int turn;
    }

    /** A plain field by handles of its getter and its setter. */
    @Suite.Racy
    static void plainAccessorHandles(int n) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle get = lookup.findGetter(Plain.class, "value", int.class);
        MethodHandle set = lookup.findSetter(Plain.class, "value", int.class);
        Plain plain = new Plain();
        Suite.pair(n, i -> {
            try {
                set.invokeExact(plain, i);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }, i -> {
            try {
                Suite.check((int) get.invokeExact(plain) >= 0);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Elements by reflection. */
    @Suite.Racy("[]")
    static void elementsByReflection(int n) throws Exception {
        int[] cells = new int[4];
        Suite.pair(n, i -> Array.setInt(cells, 1, i), i -> cells[1] = Array.getInt(cells, 1));
    }

    /** What a buffer is about: relative operations of two threads. */
    @Suite.Racy("*")
    static void sharedBuffer(int n) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        Suite.pair(Math.min(n, 1000), i -> buffer.put((byte) i), i -> buffer.put((byte) -i));
    }

    /** The record does not change, what it names does. */
    @Suite.Racy
    static void changedBehindRecord(int n) throws Exception {
        LinkedBlockingQueue<Modern.Parcel> queue = new LinkedBlockingQueue<>();
        Suite.pair(n, i -> {
            Modern.Parcel parcel = new Modern.Parcel(new Suite.Box(), i);
            queue.put(parcel);
            parcel.box().value++;
        }, i -> queue.take().box().value++);
    }

    /** A comparison that is plain. */
    @Suite.Racy
    static void weakPlainExchange(int n) throws Exception {
        VarHandle turn = MethodHandles.lookup().findVarHandle(Plain.class, "turn", int.class);
        Plain plain = new Plain();
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            box.value++;
            Suite.until(() -> turn.weakCompareAndSetPlain(plain, 0, 1));
        }, () -> {
            Suite.until(() -> turn.weakCompareAndSetPlain(plain, 1, 2));
            box.value++;
        });
    }

    /** A task that is cancelled may still run. */
    @Suite.Racy
    static void readAfterCancelOfRepeated(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1, Suite.factory());
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch begun = new CountDownLatch(1);
            ScheduledFuture<?> repeated = pool.scheduleAtFixedRate(() -> {
                begun.countDown();
                box.value++;
            }, 0, 1, TimeUnit.MILLISECONDS);
            begun.await();
            repeated.cancel(false);
            box.value++;
        }
        end(pool);
    }

    @Suite.Racy
    static void writeAfterBuilt(int n) throws Exception {
        Object builder = Modern.method(Thread.class, "ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        ThreadFactory factory = (ThreadFactory) type.getMethod("factory").invoke(builder);
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            Thread thread = factory.newThread(() -> box.value++);
            thread.start();
            box.value++;
            thread.join();
        }
    }

    /** Virtual threads with a lock each. */
    @Suite.Racy
    static void virtualLocksOfEach(int n) throws Exception {
        Method start = Modern.method(Thread.class, "startVirtualThread", Runnable.class);
        Suite.Box box = new Suite.Box();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            ReentrantLock lock = new ReentrantLock();
            threads[t] = (Thread) start.invoke(null, (Runnable) () -> {
                for (int i = 0; i < n; i++) {
                    lock.lock();
                    try {
                        box.value++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
        }
        for (Thread thread : threads) thread.join();
    }

    /** Two of three permits exclude nobody who takes one. */
    @Suite.Racy
    static void someOfThePermits(int n) throws Exception {
        Semaphore semaphore = new Semaphore(3);
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            semaphore.acquire(2);
            box.value++;
            Thread.yield();
            semaphore.release(2);
        }, i -> {
            semaphore.acquire();
            box.value++;
            semaphore.release();
        });
    }

    @Suite.Racy
    static void writeBesideCompleteAsync(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            CompletableFuture<Suite.Box> future = new CompletableFuture<Suite.Box>().completeAsync(() -> {
                box.value++;
                return box;
            }, pool);
            box.value++;
            future.get();
        }
        end(pool);
    }

    private static final InheritableThreadLocal<Suite.Box> INHERITED = new InheritableThreadLocal<>();

    /** What is inherited is the same object. */
    @Suite.Racy
    static void inheritedAndChanged(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        INHERITED.set(box);
        for (int i = 0; i < n; i++) {
            Thread thread = Suite.thread(() -> INHERITED.get().value++);
            thread.start();
            box.value++;
            thread.join();
        }
        INHERITED.remove();
    }
}
