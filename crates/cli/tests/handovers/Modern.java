import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Means of newer platforms, and less known ones of older ones. */
final class Modern {
    private static void end(ExecutorService pool) throws Exception {
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    /** A method that the platform may not have yet. */
    static Method method(Class<?> of, String name, Class<?>... parameters) {
        try {
            return of.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    /** A pool that is quiet has done its tasks. */
    @Suite.Safe
    static void awaitQuiescence(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < n / 10 + 1; i++) {
            Suite.Box[] boxes = {new Suite.Box(), new Suite.Box()};
            for (Suite.Box box : boxes) pool.execute(() -> box.value++);
            Suite.check(pool.awaitQuiescence(20, TimeUnit.SECONDS));
            for (Suite.Box box : boxes) Suite.check(box.value == 1);
        }
        end(pool);
    }

    @Suite.Safe
    static void quietlyJoined(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            ForkJoinTask<?> task = pool.submit(ForkJoinTask.adapt(() -> {
                box.value++;
            }));
            task.quietlyJoin();
            Suite.check(box.value == 1);
        }
        end(pool);
    }

    /** Subtasks that are done at last, whoever has done them. */
    @Suite.Safe
    static void forkedAndUnforked(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new RecursiveAction() {
            @Override
            protected void compute() {
                for (int i = 0; i < n; i++) {
                    Suite.Box box = new Suite.Box();
                    ForkJoinTask<?> task = ForkJoinTask.adapt(() -> {
                        box.value++;
                    }).fork();
                    if (task.tryUnfork()) task.invoke();
                    else task.join();
                    box.value++;
                }
            }
        });
        end(pool);
    }

    private static final class Mailbox {
        volatile Suite.Box shared;
        int turn;
        volatile int number;
    }

    /** A volatile field by handles of its getter and its setter. */
    @Suite.Safe
    static void accessorHandles(int n) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle get = lookup.findGetter(Mailbox.class, "number", int.class);
        MethodHandle set = lookup.findSetter(Mailbox.class, "number", int.class);
        Mailbox mailbox = new Mailbox();
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> {
                    try {
                        return (int) get.invokeExact(mailbox) == number;
                    } catch (Throwable e) {
                        throw new IllegalStateException(e);
                    }
                });
            }

            @Override
            public void pass(int number) throws Exception {
                try {
                    set.invokeExact(mailbox, number);
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    /** Stronger than it is named: what takes and puts in one step, with the weaker modes. */
    @Suite.Safe
    static void handleHalfModes(int n) throws Exception {
        VarHandle turn = MethodHandles.lookup().findVarHandle(Mailbox.class, "turn", int.class);
        Mailbox mailbox = new Mailbox();
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> (int) turn.getAndAddAcquire(mailbox, 0) == number
                    || (int) turn.compareAndExchangeAcquire(mailbox, number, number) == number);
            }

            @Override
            public void pass(int number) {
                if (number % 3 == 0) turn.getAndSetRelease(mailbox, number);
                else if (number % 3 == 1) turn.getAndAddRelease(mailbox, 1);
                else turn.compareAndExchangeRelease(mailbox, number - 1, number);
            }
        });
    }

    @Suite.Safe
    static void lazilySet(int n) throws Exception {
        AtomicReference<Suite.Box> there = new AtomicReference<>();
        AtomicBoolean taken = new AtomicBoolean(true);
        Suite.stream(n, box -> {
            Suite.until(taken::getAcquire);
            taken.setPlain(false);
            there.lazySet(box);
        }, () -> {
            Suite.Box box = Suite.poll(there::getAcquire);
            there.setPlain(null);
            taken.lazySet(true);
            return box;
        });
        AtomicLong turn = new AtomicLong();
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> turn.getAcquire() == number);
            }

            @Override
            public void pass(int number) {
                turn.lazySet(number);
            }
        });
        AtomicLongArray turns = new AtomicLongArray(3);
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> turns.getAcquire(1) == number);
            }

            @Override
            public void pass(int number) {
                turns.lazySet(1, number);
            }
        });
    }

    record Parcel(Suite.Box box, int number) {}

    /** Records have final fields: what they name is there for whoever has them, by whatever way. */
    @Suite.Safe
    static void records(int n) throws Exception {
        LinkedBlockingQueue<Parcel> queue = new LinkedBlockingQueue<>();
        Suite.stream(n, box -> queue.put(new Parcel(box, box.value)), () -> {
            Parcel parcel = queue.take();
            Suite.check(parcel.box().value == parcel.number());
            return parcel.box();
        });
    }

    /** The result of a task that is done, without waiting. */
    @Suite.Safe
    static void resultNow(int n) throws Exception {
        Method resultNow = method(Future.class, "resultNow");
        ExecutorService pool = Executors.newSingleThreadExecutor(Suite.factory());
        for (int i = 0; i < n / 10 + 1; i++) {
            Future<Suite.Box> future = pool.submit(() -> {
                Suite.Box box = new Suite.Box();
                box.value = 1;
                return box;
            });
            Suite.until(future::isDone);
            Suite.Box box = (Suite.Box) resultNow.invoke(future);
            Suite.check(box.value++ == 1);
        }
        end(pool);
    }

    @Suite.Safe
    static void joinForDuration(int n) throws Exception {
        Method join = method(Thread.class, "join", java.time.Duration.class);
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < n / 10 + 1; i++) {
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            Suite.check((boolean) join.invoke(thread, java.time.Duration.ofSeconds(20)));
            box.value++;
        }
    }

    /** Threads of both kinds by their builders. */
    @Suite.Safe
    static void threadBuilder(int n) throws Exception {
        for (String kind : new String[] {"ofPlatform", "ofVirtual"}) {
            Object builder = method(Thread.class, kind).invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            builder = type.getMethod("name", String.class).invoke(builder, "threadBuilder-1");
            ThreadFactory factory = (ThreadFactory) type.getMethod("factory").invoke(builder);
            Suite.Box box = new Suite.Box();
            for (int i = 0; i < n / 10 + 1; i++) {
                Thread made = factory.newThread(() -> box.value++);
                box.value++;
                made.start();
                made.join();
                Thread unstarted = (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, (Runnable) () -> box.value++);
                box.value++;
                unstarted.start();
                unstarted.join();
                Thread started = (Thread) type.getMethod("start", Runnable.class).invoke(builder, (Runnable) () -> box.value++);
                started.join();
                box.value++;
            }
        }
    }

    /** Virtual threads that wait for each other by a condition, and by permits. */
    @Suite.Safe
    static void virtualConditions(int n) throws Exception {
        Method start = method(Thread.class, "startVirtualThread", Runnable.class);
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        Semaphore[] permits = {new Semaphore(1), new Semaphore(0)};
        Suite.Box box = new Suite.Box();
        Suite.Box other = new Suite.Box();
        List<Thread> threads = new ArrayList<>();
        for (int parity = 0; parity < 2; parity++) {
            int mine = parity;
            threads.add((Thread) start.invoke(null, (Runnable) () -> Suite.quietly(() -> {
                for (int i = 0; i < n; i++) {
                    lock.lock();
                    try {
                        while (box.value % 2 != mine) changed.await();
                        box.value++;
                        changed.signalAll();
                    } finally {
                        lock.unlock();
                    }
                    permits[mine].acquire();
                    other.value++;
                    permits[1 - mine].release();
                }
            })));
        }
        for (Thread thread : threads) thread.join();
        Suite.check(box.value == 2 * n && other.value == 2 * n);
    }

    @Suite.Safe
    static void allPermits(int n) throws Exception {
        Semaphore semaphore = new Semaphore(3);
        Suite.sections(n, body -> {
            semaphore.acquireUninterruptibly(3);
            try {
                body.run();
            } finally {
                semaphore.release(3);
            }
        });
        Semaphore drained = new Semaphore(1);
        Suite.sections(n, body -> {
            Suite.until(() -> drained.drainPermits() == 1);
            body.run();
            drained.release();
        });
    }

    @Suite.Safe
    static void completeAsync(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n / 10 + 1; i++) {
            CompletableFuture<Suite.Box> future = new CompletableFuture<Suite.Box>().completeAsync(() -> {
                Suite.Box box = new Suite.Box();
                box.value = 1;
                return box;
            }, pool);
            CompletableFuture<Suite.Box> copied = future.copy().whenCompleteAsync((box, problem) -> box.value++, pool);
            CompletableFuture<Suite.Box> last = copied.minimalCompletionStage().toCompletableFuture();
            Suite.check(last.get(20, TimeUnit.SECONDS).value++ == 2);
        }
        end(pool);
    }

    /** Phases that are waited for after the arrival. */
    @Suite.Safe
    static void arrivesAndWaitsLater(int n) throws Exception {
        Phaser phaser = new Phaser();
        phaser.bulkRegister(2);
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            box.value++;
            phaser.arriveAndAwaitAdvance();
            phaser.awaitAdvanceInterruptibly(phaser.arrive(), 20, TimeUnit.SECONDS);
        }, i -> {
            phaser.awaitAdvance(phaser.arrive());
            box.value++;
            phaser.arriveAndAwaitAdvance();
        });
    }

    @Suite.Safe
    static void timedLocks(int n) throws Exception {
        ReentrantReadWriteLock locks = new ReentrantReadWriteLock();
        Suite.sections(n, body -> {
            Suite.check(locks.writeLock().tryLock(20, TimeUnit.SECONDS));
            try {
                body.run();
            } finally {
                locks.writeLock().unlock();
            }
        });
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        Suite.sections(n / 10, body -> {
            lock.lockInterruptibly();
            try {
                never.awaitNanos(1000);
                body.run();
                never.awaitUntil(new java.util.Date());
            } finally {
                lock.unlock();
            }
        });
    }

    @Suite.Safe
    static void groupedInParallel(int n) throws Exception {
        for (int round = 0; round < Math.max(1, n / 500); round++) {
            ConcurrentMap<Integer, List<Suite.Box>> groups = IntStream.range(0, 2000).parallel().mapToObj(i -> {
                Suite.Box box = new Suite.Box();
                box.value = i;
                return box;
            }).collect(Collectors.groupingByConcurrent(box -> box.value % 7));
            int sum = 0;
            for (List<Suite.Box> group : groups.values()) {
                for (Suite.Box box : group) sum += box.value++;
            }
            Suite.check(sum == 1999 * 1000);
            Map<Boolean, Long> counts = groups.values().parallelStream().flatMap(List::stream).limit(1500)
                .collect(Collectors.partitioningBy(box -> box.value > 10, Collectors.counting()));
            Suite.check(counts.get(true) + counts.get(false) == 1500);
        }
    }

    /** A task that repeats itself after a pause, until another repetition is told by a latch. */
    @Suite.Safe
    static void repeatsWithDelay(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2, Suite.factory());
        Suite.Box box = new Suite.Box();
        CountDownLatch done = new CountDownLatch(20);
        ScheduledFuture<?> repeated = pool.scheduleWithFixedDelay(() -> {
            if (done.getCount() > 0) box.value++;
            done.countDown();
        }, 0, 1, TimeUnit.MILLISECONDS);
        done.await();
        repeated.cancel(false);
        Suite.check(box.value == 20);
        try {
            repeated.get();
        } catch (CancellationException e) {
            // As expected.
        }
        end(pool);
        box.value++;
    }

    private static final class ByName {
        static final Suite.Box BOX = new Suite.Box();

        static {
            BOX.value = 1;
        }
    }

    private static final class ByLookup {
        static final Suite.Box BOX = new Suite.Box();

        static {
            BOX.value = 1;
        }
    }

    /** Classes that are initialised by reflection, by whoever comes first. */
    @Suite.Safe
    static void initialisedByName(int n) throws Exception {
        Suite.Body body = () -> {
            Class.forName("Modern$ByName");
            Suite.check(ByName.BOX.value == 1);
            MethodHandles.lookup().ensureInitialized(ByLookup.class);
            Suite.check(ByLookup.BOX.value == 1);
        };
        Suite.together(body, body, body);
    }

    private static final InheritableThreadLocal<Suite.Box> INHERITED = new InheritableThreadLocal<>();

    @Suite.Safe
    static void inherited(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        INHERITED.set(box);
        for (int i = 0; i < n / 10 + 1; i++) {
            box.value++;
            Thread thread = Suite.thread(() -> INHERITED.get().value++);
            box.value++;
            thread.start();
            thread.join();
            box.value++;
        }
        INHERITED.remove();
    }

    /** Virtual threads, by reflection: the suite is compiled for a platform without them. */
    static Thread virtual(Runnable task) throws Exception {
        return (Thread) method(Thread.class, "startVirtualThread", Runnable.class).invoke(null, task);
    }

    static void virtually(Suite.Body... bodies) throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicReference<Throwable> failed = new AtomicReference<>();
        for (Suite.Body body : bodies) {
            threads.add(virtual(() -> {
                try {
                    body.run();
                } catch (Throwable e) {
                    failed.set(e);
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        if (failed.get() != null) throw new AssertionError(failed.get());
    }
}
