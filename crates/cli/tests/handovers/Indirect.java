import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;

/** Means that are reached by reflection, handles, references and subclasses, and states that are asked for again and again. */
final class Indirect {
    private static int few(int n) {
        return Math.min(n, 50);
    }

    private static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }

    /** What a handle throws is a failure. */
    private static RuntimeException failure(Throwable e) {
        return new IllegalStateException(e);
    }

    @Suite.Safe
    static void atomicByReflection(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Method get = AtomicInteger.class.getMethod("get");
        Method set = AtomicInteger.class.getMethod("set", int.class);
        Suite.turns(Math.min(n, 5000), new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> {
                    try {
                        return (int) get.invoke(turn) == number;
                    } catch (ReflectiveOperationException e) {
                        throw failure(e);
                    }
                });
            }

            @Override
            public void pass(int number) throws Exception {
                set.invoke(turn, number);
            }
        });
    }

    @Suite.Safe
    static void atomicByHandle(int n) throws Exception {
        AtomicReference<Integer> turn = new AtomicReference<>(0);
        MethodHandle get = lookup().findVirtual(AtomicReference.class, "getAcquire", MethodType.methodType(Object.class));
        MethodHandle set = lookup().findVirtual(AtomicReference.class, "setRelease", MethodType.methodType(void.class, Object.class));
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> {
                    try {
                        return ((Integer) (Object) get.invokeExact(turn)) == number;
                    } catch (Throwable e) {
                        throw failure(e);
                    }
                });
            }

            @Override
            public void pass(int number) {
                try {
                    set.invokeExact(turn, (Object) number);
                } catch (Throwable e) {
                    throw failure(e);
                }
            }
        });
    }

    @Suite.Safe
    static void lockByReflection(int n) throws Exception {
        Lock lock = new ReentrantLock();
        Method take = Lock.class.getMethod("lock");
        MethodHandle give = lookup().findVirtual(Lock.class, "unlock", MethodType.methodType(void.class));
        Suite.sections(Math.min(n, 5000), body -> {
            take.invoke(lock);
            try {
                body.run();
            } finally {
                try {
                    give.invokeExact(lock);
                } catch (Throwable e) {
                    throw failure(e);
                }
            }
        });
    }

    @Suite.Safe
    static void lockByReference(int n) throws Exception {
        Lock lock = new ReentrantLock();
        Consumer<Lock> take = Lock::lock;
        Runnable give = lock::unlock;
        Suite.sections(n, body -> {
            take.accept(lock);
            try {
                body.run();
            } finally {
                give.run();
            }
        });
    }

    static final class Guarded {
        synchronized void within(Suite.Body body) throws Exception {
            body.run();
        }

        static synchronized void withinAll(Suite.Body body) throws Exception {
            body.run();
        }
    }

    @Suite.Safe
    static void monitorByReflection(int n) throws Exception {
        Guarded guarded = new Guarded();
        Method within = Guarded.class.getDeclaredMethod("within", Suite.Body.class);
        MethodHandle handle = lookup().findVirtual(Guarded.class, "within", MethodType.methodType(void.class, Suite.Body.class));
        Suite.Box box = new Suite.Box();
        Suite.pair(Math.min(n, 5000), i -> within.invoke(guarded, (Suite.Body) () -> box.value++), i -> {
            try {
                handle.invokeExact(guarded, (Suite.Body) () -> box.value++);
            } catch (Throwable e) {
                throw failure(e);
            }
        });
        Method all = Guarded.class.getDeclaredMethod("withinAll", Suite.Body.class);
        Suite.Box other = new Suite.Box();
        Suite.pair(Math.min(n, 5000), i -> all.invoke(null, (Suite.Body) () -> other.value++), i -> {
            synchronized (Guarded.class) {
                other.value++;
            }
        });
    }

    @Suite.Safe
    static void threadByReflection(int n) throws Exception {
        Method start = Thread.class.getMethod("start");
        MethodHandle join = lookup().findVirtual(Thread.class, "join", MethodType.methodType(void.class));
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = Suite.thread(() -> box.value++);
            box.value++;
            start.invoke(thread);
            try {
                join.invokeExact(thread);
            } catch (Throwable e) {
                throw failure(e);
            }
            Suite.check(box.value == 2 * i + 2);
        }
    }

    private static final class Cell extends AtomicReference<Suite.Box> {
        Suite.Box takeAll() {
            return super.getAndSet(null);
        }

        boolean offer(Suite.Box box) {
            return weakCompareAndSetRelease(null, box);
        }
    }

    @Suite.Safe
    static void extendedAtomic(int n) throws Exception {
        Cell cell = new Cell();
        Suite.stream(n, box -> Suite.until(() -> cell.offer(box)), () -> Suite.poll(cell::takeAll));
    }

    private static final class OwnLock extends ReentrantLock {
        int depth;

        @Override
        public void lock() {
            super.lock();
            depth++;
        }

        @Override
        public void unlock() {
            depth--;
            super.unlock();
        }
    }

    @Suite.Safe
    static void extendedLock(int n) throws Exception {
        OwnLock lock = new OwnLock();
        Suite.sections(n, body -> {
            lock.lock();
            try {
                lock.lock();
                body.run();
                lock.unlock();
            } finally {
                lock.unlock();
            }
        });
    }

    /** Of this class a hidden one is made. */
    static final class Hidden implements Consumer<Suite.Box> {
        int own;

        @Override
        public synchronized void accept(Suite.Box box) {
            own++;
            box.value++;
        }
    }

    @Suite.Safe
    @SuppressWarnings("unchecked")
    static void hiddenClass(int n) throws Exception {
        byte[] bytes;
        try (InputStream in = Indirect.class.getResourceAsStream("/Indirect$Hidden.class")) {
            bytes = in.readAllBytes();
        }
        Class<?> hidden = lookup().defineHiddenClass(bytes, true).lookupClass();
        Consumer<Suite.Box> first = (Consumer<Suite.Box>) hidden.getDeclaredConstructor().newInstance();
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> first.accept(box), i -> first.accept(box));
        Suite.check(box.value == 2 * n);
    }

    /** States that are asked for until they are so. */
    @Suite.Safe
    static void askedFor(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch latch = new CountDownLatch(1);
            Phaser phaser = new Phaser(1);
            Semaphore semaphore = new Semaphore(0);
            FutureTask<Integer> task = new FutureTask<>(() -> box.value++);
            CompletableFuture<Integer> future = new CompletableFuture<>();
            ReentrantLock lock = new ReentrantLock();
            Suite.together(() -> {
                lock.lock();
                box.value++;
                latch.countDown();
                Suite.until(() -> semaphore.availablePermits() == 1);
                box.value++;
                phaser.arrive();
                Suite.until(task::isDone);
                box.value++;
                future.complete(3);
                Suite.until(semaphore::hasQueuedThreads);
                semaphore.drainPermits();
                box.value++;
                lock.unlock();
                semaphore.release();
            }, () -> {
                Suite.until(() -> latch.getCount() == 0);
                box.value++;
                semaphore.release();
                Suite.until(() -> phaser.getPhase() == 1);
                task.run();
                Suite.until(future::isDone);
                box.value++;
                semaphore.acquire();
                semaphore.acquire();
                Suite.until(() -> !lock.isLocked());
                box.value++;
            });
        }
    }

    @Suite.Safe
    static void stateOfThread(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            Suite.until(() -> thread.getState() == Thread.State.TERMINATED);
            box.value++;
        }
    }

    /** A join of the program's own. */
    @Suite.Safe
    static void waitForThread(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            synchronized (thread) {
                while (thread.isAlive()) thread.wait();
            }
            box.value++;
        }
    }

    /** Locks that exceptions leave. */
    @Suite.Safe
    static void thrownUnderLock(int n) throws Exception {
        Object lock = new Object();
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            try {
                synchronized (lock) {
                    box.value++;
                    try {
                        synchronized (box) {
                            Object none = i % 2 == 0 ? null : box;
                            none.hashCode();
                            throw new IllegalArgumentException();
                        }
                    } finally {
                        box.value++;
                    }
                }
            } catch (NullPointerException | IllegalArgumentException e) {
                synchronized (lock) {
                    box.value++;
                }
            }
        };
        Suite.pair(n, step, step);
        Suite.check(box.value == 6 * n);
    }

    private static int deep(Suite.Box box) {
        synchronized (box) {
            box.value++;
            return deep(box) + 1;
        }
    }

    /** Monitors that an overflow of the stack leaves. */
    @Suite.Safe
    static void overflowUnderLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            try {
                deep(box);
            } catch (StackOverflowError e) {
                synchronized (box) {
                    box.value = 0;
                }
            }
        };
        Suite.pair(Math.min(n, 20), step, step);
    }

    /** Many threads give and take at the same time. */
    @Suite.Safe
    static void manyToMany(int n) throws Exception {
        List<BlockingQueue<Suite.Box>> queues =
            List.of(new SynchronousQueue<>(), new SynchronousQueue<>(true), new LinkedTransferQueue<>(), new LinkedBlockingDeque<>(2));
        for (BlockingQueue<Suite.Box> queue : queues) {
            Suite.Body give = () -> {
                for (int i = 0; i < n / 4; i++) {
                    Suite.Box box = new Suite.Box();
                    box.value = i;
                    if (i % 3 == 0) while (!queue.offer(box, 1, TimeUnit.MILLISECONDS)) Thread.onSpinWait();
                    else queue.put(box);
                }
            };
            Suite.Body take = () -> {
                for (int i = 0; i < n / 4; i++) {
                    Suite.Box box = i % 5 == 0 ? Suite.poll(() -> queue.poll(1, TimeUnit.MILLISECONDS)) : queue.take();
                    box.value = -1;
                }
            };
            Suite.together(give, take, give, take, give, take);
        }
    }

    @Suite.Safe
    static void exchangerOfMany(int n) throws Exception {
        Exchanger<Suite.Box> exchanger = new Exchanger<>();
        Suite.Body swap = () -> {
            Suite.Box box = new Suite.Box();
            for (int i = 0; i < n; i++) {
                box.value++;
                try {
                    box = exchanger.exchange(box, 1, TimeUnit.MILLISECONDS);
                } catch (java.util.concurrent.TimeoutException e) {
                    box.cells[0]++;
                }
            }
        };
        Suite.together(swap, swap, swap, swap);
    }

    /** A table that grows while entries are put, changed and taken. */
    @Suite.Safe
    static void mapThatGrows(int n) throws Exception {
        ConcurrentHashMap<Integer, Suite.Box> map = new ConcurrentHashMap<>(1);
        ConcurrentSkipListMap<Integer, Suite.Box> sorted = new ConcurrentSkipListMap<>();
        Suite.Body put = () -> {
            for (int i = 0; i < n; i++) {
                Suite.Box box = new Suite.Box();
                box.value = i;
                if (map.putIfAbsent(i, box) == null) continue;
                box.value++;
                Suite.Box mine = new Suite.Box();
                mine.value = i;
                sorted.putIfAbsent(i, mine);
            }
        };
        Suite.Body take = () -> {
            for (int i = 0; i < n; i++) {
                Suite.Box box = map.remove(i);
                if (box != null) box.value = -1;
                map.computeIfPresent(i + 1, (key, present) -> {
                    present.value++;
                    return present;
                });
                var entry = sorted.pollFirstEntry();
                if (entry != null) entry.getValue().value++;
            }
        };
        Suite.together(put, take, put, take);
    }

    /** Tasks that are done when the pool's worker has nothing more to do. */
    @Suite.Safe
    static void helpQuiesce(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        pool.submit(() -> {
            for (int i = 0; i < few(n); i++) {
                Suite.Box[] boxes = new Suite.Box[10];
                for (int j = 0; j < boxes.length; j++) {
                    Suite.Box box = boxes[j] = new Suite.Box();
                    ForkJoinTask.adapt(() -> {
                        box.value++;
                    }).fork();
                }
                ForkJoinTask.helpQuiesce();
                for (Suite.Box box : boxes) Suite.check(box.value++ == 1);
            }
        }).get();
        pool.shutdown();
    }

    private static final class Sum extends RecursiveTask<Suite.Box> {
        private final int[] cells;
        private final int from, to;
        private int visits;

        Sum(int[] cells, int from, int to) {
            this.cells = cells;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Suite.Box compute() {
            visits++;
            Suite.Box box = new Suite.Box();
            if (to - from < 8) {
                for (int i = from; i < to; i++) box.value += ++cells[i];
                return box;
            }
            int middle = (from + to) >>> 1;
            List<Sum> parts = List.of(new Sum(cells, from, middle), new Sum(cells, middle, to));
            ForkJoinTask.invokeAll(parts);
            for (Sum part : parts) {
                box.value += part.getRawResult().value++;
                part.visits++;
            }
            return box;
        }
    }

    @Suite.Safe
    static void invokedTogether(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        int[] cells = new int[200];
        for (int i = 0; i < few(n); i++) {
            Sum sum = new Sum(cells, 0, cells.length);
            pool.execute(sum);
            Suite.until(sum::isDone);
            Suite.check(sum.getRawResult().value == 200 * (i + 1) && sum.visits == 1);
        }
        pool.shutdown();
    }

    /** Stamps that change their mode. */
    @Suite.Safe
    static void convertedStamps(int n) throws Exception {
        StampedLock lock = new StampedLock();
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            long stamp = i % 2 == 0 ? lock.readLock() : lock.tryReadLock(1, TimeUnit.SECONDS);
            int seen = box.value;
            long write = lock.tryConvertToWriteLock(stamp);
            if (write == 0) {
                lock.unlock(stamp);
                write = lock.writeLockInterruptibly();
            } else {
                Suite.check(box.value == seen);
            }
            box.value++;
            stamp = lock.tryConvertToReadLock(write);
            Suite.check(box.value > 0);
            stamp = lock.tryConvertToOptimisticRead(stamp);
            Suite.check(stamp != 0);
        };
        Suite.pair(n, step, step);
        Suite.check(box.value == 2 * n);
    }

    /** Parties that come and go in bulk, and waits that give up. */
    @Suite.Safe
    static void phaserOfMany(int n) throws Exception {
        Phaser phaser = new Phaser();
        phaser.bulkRegister(3);
        Suite.Box[] boxes = {new Suite.Box(), new Suite.Box(), new Suite.Box()};
        int rounds = Math.min(n, 5000);
        Suite.Body[] bodies = new Suite.Body[3];
        for (int t = 0; t < 3; t++) {
            int own = t;
            bodies[t] = () -> {
                for (int i = 0; i < rounds; i++) {
                    boxes[(own + i) % 3].value++;
                    int phase = phaser.arrive();
                    while (true) {
                        try {
                            phaser.awaitAdvanceInterruptibly(phase, 1, TimeUnit.MILLISECONDS);
                            break;
                        } catch (java.util.concurrent.TimeoutException e) {
                            // once more
                        }
                    }
                }
                phaser.arriveAndDeregister();
            };
        }
        Suite.together(bodies);
        Suite.until(phaser::isTerminated);
    }
}
