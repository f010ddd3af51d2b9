import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Hand-over by what comes of work: exceptions, time-outs, cancellation, ends of threads and processes, classes. */
final class Outcomes {
    private static int few(int n) {
        return Math.min(n, 100);
    }

    private static void end(ExecutorService pool) throws Exception {
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    private static final class Failure extends RuntimeException {
        final Suite.Box box;

        Failure(Suite.Box box) {
            this.box = box;
        }
    }

    private static Failure failure(int value) {
        Suite.Box box = new Suite.Box();
        box.value = value;
        return new Failure(box);
    }

    private static void checkCause(Throwable e, int value) {
        Suite.Box box = ((Failure) e.getCause()).box;
        Suite.check(box.value == value);
        box.value = 0;
    }

    @Suite.Safe
    static void causeOfTask(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n; i++) {
            int value = i;
            try {
                pool.submit(() -> {
                    throw failure(value);
                }).get();
            } catch (ExecutionException e) {
                checkCause(e, i);
            }
        }
        end(pool);
    }

    @Suite.Safe
    static void causeOfStage(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n; i++) {
            int value = i;
            CompletableFuture<Object> failed = CompletableFuture.supplyAsync(() -> {
                throw failure(value);
            }, pool);
            try {
                failed.thenApplyAsync(x -> x, pool).join();
            } catch (CompletionException e) {
                checkCause(e, i);
            }
        }
        end(pool);
    }

    @Suite.Safe
    static void causeOfForkJoinTask(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            ForkJoinTask<?> task = pool.submit(() -> {
                box.value++;
                throw new IllegalStateException();
            });
            task.quietlyJoin();
            Suite.check(task.isCompletedAbnormally() && box.value == 1);
            box.value++;
        }
        end(pool);
    }

    /** Who times out hands over what it wrote before it asked for the time-out. */
    @Suite.Safe
    static void orTimeout(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = 1;
            CompletableFuture<Suite.Box> never = new CompletableFuture<>();
            CompletableFuture<Integer> handled = never.orTimeout(1, TimeUnit.MILLISECONDS).handle((none, e) -> {
                Suite.check(e instanceof TimeoutException);
                return ++box.value;
            });
            Suite.check(handled.get() == 2 && box.value == 2);
        }
    }

    @Suite.Safe
    static void completeOnTimeout(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            CompletableFuture<Suite.Box> late = new CompletableFuture<Suite.Box>().completeOnTimeout(box, 1, TimeUnit.MILLISECONDS);
            Suite.check(late.thenApply(given -> given.value++).get() == i);
            Suite.check(box.value == i + 1);
        }
    }

    /** Repetitions of a task come one after another, until one throws. */
    @Suite.Safe
    static void repeatsUntilItThrows(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3, Suite.factory());
        Suite.Box box = new Suite.Box();
        ScheduledFuture<?> repeated = pool.scheduleWithFixedDelay(() -> {
            if (++box.value == few(n)) throw new IllegalStateException();
        }, 0, 20, TimeUnit.MICROSECONDS);
        try {
            repeated.get();
        } catch (ExecutionException e) {
            Suite.check(box.value == few(n));
        }
        box.value = 0;
        end(pool);
    }

    /** A task that cancels its own repetition, and the end of the pool. */
    @Suite.Safe
    static void cancelsItself(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2, Suite.factory());
        Suite.Box box = new Suite.Box();
        CompletableFuture<ScheduledFuture<?>> own = new CompletableFuture<>();
        own.complete(pool.scheduleAtFixedRate(() -> {
            if (++box.value == few(n)) own.join().cancel(false);
        }, 0, 20, TimeUnit.MICROSECONDS));
        try {
            own.join().get();
        } catch (CancellationException e) {
            end(pool);
        }
        Suite.check(box.value == few(n));
    }

    /** Threads of a pool that end for want of work, and new ones. */
    @Suite.Safe
    static void threadsThatEnd(int n) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MICROSECONDS, new LinkedBlockingQueue<>(), Suite.factory());
        pool.allowCoreThreadTimeOut(true);
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < n; i++) pool.submit(() -> box.value++);
        Suite.check(pool.submit(() -> box.value).get() == n);
        end(pool);
    }

    /** What a full pool gives back. */
    @Suite.Safe
    static void drainedTasks(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            ExecutorService pool = Executors.newSingleThreadExecutor(Suite.factory());
            CountDownLatch started = new CountDownLatch(1);
            pool.execute(() -> {
                started.countDown();
                try {
                    Thread.sleep(20_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            started.await();
            Suite.Box box = new Suite.Box();
            pool.execute(() -> box.value++);
            box.cells[1] = 1;
            for (Runnable left : pool.shutdownNow()) left.run();
            Suite.check(box.value == 1);
            end(pool);
        }
    }

    /** From JDK 19 on a pool can be closed. */
    @Suite.Safe
    static void closedPool(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
            pool.execute(() -> box.value++);
            if (!((Object) pool instanceof AutoCloseable)) {
                pool.shutdown();
                throw new UnsupportedOperationException();
            }
            ((AutoCloseable) (Object) pool).close();
            Suite.check(box.value++ == 1);
        }
    }

    /** Fields of the thread itself. */
    private static final class Worker extends Thread {
        int given;
        int result;

        Worker(int given) {
            super("fieldsOfThread");
            this.given = given;
        }

        @Override
        public void run() {
            result = given + 1;
        }
    }

    @Suite.Safe
    static void fieldsOfThread(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Worker worker = new Worker(i);
            worker.given++;
            worker.start();
            if ((i & 1) == 0) worker.join();
            else Suite.until(() -> worker.getState() == Thread.State.TERMINATED);
            Suite.check(worker.result++ == i + 2);
        }
    }

    /** Waiting in slices until the thread has ended. */
    @Suite.Safe
    static void joinInSlices(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            while (thread.isAlive()) thread.join(1);
            Suite.check(box.value == i + 1);
        }
    }

    /** What was written before a process was started, seen when it has ended. */
    @Suite.Safe
    static void endOfProcess(int n) throws Exception {
        for (int i = 0; i < Math.min(n, 5); i++) {
            Suite.Box box = new Suite.Box();
            box.value = 1;
            Process process = new ProcessBuilder("true").start();
            Suite.check(process.onExit().thenApply(ended -> ++box.value).get() == 2);
            Suite.check(box.value == 2);
        }
    }

    private enum Level {
        LOW, HIGH;

        final Suite.Box box = new Suite.Box();

        Level() {
            box.value = ordinal() + 1;
        }
    }

    private interface Constants {
        Suite.Box BOX = make(3);

        static Suite.Box make(int value) {
            Suite.Box box = new Suite.Box();
            box.value = value;
            return box;
        }
    }

    /** Objects that enumerations and interfaces make when they are initialised, by whichever thread. */
    @Suite.Safe
    static void initialisedByEither(int n) throws Exception {
        Suite.Step step = i -> Suite.check(Level.values()[i & 1].box.value == (i & 1) + 1 && Constants.BOX.value == 3);
        Suite.pair(n, step, step);
    }

    private static final ClassValue<Suite.Box> BY_CLASS = new ClassValue<>() {
        @Override
        protected Suite.Box computeValue(Class<?> type) {
            Suite.Box box = new Suite.Box();
            box.value = type.getName().length();
            return box;
        }
    };

    @Suite.Safe
    static void classValue(int n) throws Exception {
        Class<?>[] types = {String.class, Integer.class, Map.class, List.class, Outcomes.class, Suite.class, int.class, Level.class};
        Suite.Step step = i -> Suite.check(BY_CLASS.get(types[i & 7]).value == types[i & 7].getName().length());
        Suite.pair(n, step, step);
    }

    @Suite.Safe
    static void forEachOrdered(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            box.value = 0;
            IntStream.range(0, 100).parallel().map(x -> x + 1).forEachOrdered(x -> box.value++);
            Suite.check(box.value == 100);
        }
    }

    @Suite.Safe
    static void collectors(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Map<Integer, List<Suite.Box>> grouped = IntStream.range(0, 200).parallel().mapToObj(x -> {
                Suite.Box box = new Suite.Box();
                box.value = x;
                return box;
            }).collect(Collectors.groupingByConcurrent(box -> box.value % 5));
            Suite.check(grouped.values().stream().mapToInt(List::size).sum() == 200);
            grouped.get(3).forEach(box -> box.value = 0);
            StringBuilder text = IntStream.range(0, 50).parallel().boxed().sorted((a, b) -> b - a)
                .collect(StringBuilder::new, (built, x) -> built.append('x'), StringBuilder::append);
            Suite.check(text.length() == 50);
            List<Suite.Box> flat = grouped.values().parallelStream().flatMap(List::stream).peek(box -> box.value++).collect(Collectors.toList());
            flat.forEach(box -> box.value++);
        }
    }

    /** Bulk operations of a map that work in parallel. */
    @Suite.Safe
    static void parallelMap(int n) throws Exception {
        ConcurrentHashMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 64; i++) map.put(i, new Suite.Box());
        for (int i = 0; i < few(n); i++) {
            map.forEach(1, (key, box) -> box.value = key);
            Suite.check(map.reduceValuesToInt(1, box -> box.value++, 0, Integer::sum) == 64 * 63 / 2);
            // Not search, which returns while other tasks of it still read.
            Suite.check(map.reduceValues(1, box -> box.value == 64 ? box : null, (one, two) -> one).value == 64);
            map.replaceAll((key, box) -> {
                box.value = 0;
                return box;
            });
        }
    }

    /** Values that are changed in place while their entry is locked. */
    @Suite.Safe
    static void changedInCompute(int n) throws Exception {
        ConcurrentHashMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.Step step = i -> {
            map.compute(i & 3, (key, box) -> {
                if (box == null) box = new Suite.Box();
                box.value++;
                return box;
            });
            map.computeIfPresent(i & 3, (key, box) -> ++box.cells[0] % 50 == 0 ? null : box);
        };
        Suite.pair(n, step, step);
    }

    /** A stage between publisher and subscriber, with state of its own. */
    private static final class Doubling extends SubmissionPublisher<Suite.Box> implements Flow.Processor<Suite.Box, Suite.Box> {
        private Flow.Subscription subscription;
        private int seen;

        Doubling(ExecutorService pool) {
            super(pool, 4);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(Suite.Box box) {
            seen++;
            box.value *= 2;
            submit(box);
            subscription.request(1);
        }

        @Override
        public void onError(Throwable e) {
            closeExceptionally(e);
        }

        @Override
        public void onComplete() {
            close();
        }
    }

    @Suite.Safe
    static void processor(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, Suite.factory());
        Suite.Box sum = new Suite.Box();
        CompletableFuture<Void> consumed;
        try (SubmissionPublisher<Suite.Box> source = new SubmissionPublisher<>(pool, 4)) {
            Doubling doubling = new Doubling(pool);
            source.subscribe(doubling);
            consumed = doubling.consume(box -> sum.value += box.value);
            for (int i = 0; i < n; i++) {
                Suite.Box box = new Suite.Box();
                box.value = 1;
                source.submit(box);
            }
        }
        consumed.get();
        Suite.check(sum.value == 2 * n);
        end(pool);
    }

    @Suite.Safe
    static void exchangerTimed(int n) throws Exception {
        Exchanger<Suite.Box> exchanger = new Exchanger<>();
        Suite.Step step = i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            while (true) {
                try {
                    box = exchanger.exchange(box, 1, TimeUnit.MILLISECONDS);
                    break;
                } catch (TimeoutException e) {
                    box.cells[0]++;
                }
            }
            Suite.check(box.value++ == i);
        };
        Suite.pair(n, step, step);
    }

    /** Waiting for phases of others, and the end of all phases. */
    @Suite.Safe
    static void phasesOfOthers(int n) throws Exception {
        Phaser phaser = new Phaser(1);
        Suite.Box box = new Suite.Box();
        Suite.Box last = new Suite.Box();
        int[] seen = new int[1];
        Suite.together(() -> {
            for (int i = 0; i < n; i++) {
                box.cells[i & 3] = i;
                phaser.arrive();
                if (i % 4 == 3) Suite.until(() -> phaser.getRegisteredParties() > 0);
            }
            last.value = 1;
            phaser.forceTermination();
        }, () -> {
            Suite.until(() -> phaser.awaitAdvance(phaser.getPhase()) < 0);
            seen[0] = last.value;
        });
        Suite.check(seen[0] == 1);
    }

    /** A thread that is told to stop, and what it left. */
    @Suite.Safe
    static void poisonPill(int n) throws Exception {
        BlockingQueue<Suite.Box> queue = new LinkedBlockingQueue<>(3);
        Suite.Box pill = new Suite.Box();
        List<Suite.Box> kept = new ArrayList<>();
        Thread consumer = Suite.thread(() -> {
            for (Suite.Box box = queue.take(); box != pill; box = queue.take()) kept.add(box);
            pill.value++;
        });
        consumer.start();
        for (int i = 0; i < n; i++) queue.put(new Suite.Box());
        pill.value = 1;
        queue.put(pill);
        consumer.join();
        Suite.check(kept.size() == n && pill.value == 2);
    }
}
