import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Hand-over to tasks and back. */
final class Tasks {
    /** A task finds what the submitter left, and the submitter what the task left. */
    private static void submitted(int n, ExecutorService pool) throws Exception {
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            int expected = i;
            Future<Suite.Box> future = pool.submit(() -> {
                Suite.check(box.value == expected);
                box.value++;
                box.cells[0] = expected;
                return box;
            });
            if ((i & 3) == 3) Suite.until(future::isDone);
            else Suite.check((i & 1) == 0 ? future.get() == box : future.get(20, TimeUnit.SECONDS) == box);
            Suite.check(box.value == i + 1 && box.cells[0] == i);
            box.cells[0] = 0;
        }
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Suite.Safe
    static void fixedPool(int n) throws Exception {
        submitted(n, Executors.newFixedThreadPool(2, Suite.factory()));
    }

    @Suite.Safe
    static void cachedPool(int n) throws Exception {
        submitted(n, Executors.newCachedThreadPool(Suite.factory()));
    }

    @Suite.Safe
    static void singleThread(int n) throws Exception {
        submitted(n, Executors.newSingleThreadExecutor(Suite.factory()));
    }

    @Suite.Safe
    static void workStealingPool(int n) throws Exception {
        submitted(n, Executors.newWorkStealingPool(2));
    }

    @Suite.Safe
    static void forkJoinPool(int n) throws Exception {
        submitted(n, new ForkJoinPool(2));
    }

    @Suite.Safe
    static void scheduledPool(int n) throws Exception {
        submitted(n, Executors.newScheduledThreadPool(2, Suite.factory()));
    }

    @Suite.Safe
    static void threadPerTask(int n) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(0, 8, 0, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), Suite.factory());
        submitted(Math.min(n, 3000), pool);
    }

    /** Tasks of one thread need no lock; the last one is seen when the pool has ended. */
    @Suite.Safe
    static void confinedToExecutor(int n) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(Suite.factory());
        Suite.Box box = new Suite.Box();
        Suite.Step add = i -> pool.execute(() -> box.value++);
        Suite.pair(n, add, add);
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
        Suite.check(box.value == 2 * n);
    }

    @Suite.Safe
    static void shutdownAndTerminated(int n) throws Exception {
        for (int i = 0; i < Math.max(1, n / 100); i++) {
            ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
            Suite.Box[] boxes = {new Suite.Box(), new Suite.Box(), new Suite.Box(), new Suite.Box()};
            for (Suite.Box box : boxes) pool.execute(() -> box.value = 5);
            pool.shutdown();
            Suite.until(pool::isTerminated);
            for (Suite.Box box : boxes) Suite.check(box.value == 5);
        }
    }

    @Suite.Safe
    static void invokeAllAndAny(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, Suite.factory());
        for (int i = 0; i < n / 4; i++) {
            List<Callable<Suite.Box>> tasks = new ArrayList<>();
            for (int k = 0; k < 3; k++) {
                Suite.Box box = new Suite.Box();
                box.value = k;
                tasks.add(() -> {
                    box.value += 10;
                    return box;
                });
            }
            int sum = 0;
            for (Future<Suite.Box> future : pool.invokeAll(tasks)) sum += future.get().value;
            Suite.check(sum == 33);
            Callable<Suite.Box> fresh = Suite.Box::new;
            pool.invokeAny(List.of(fresh, fresh)).value++;
        }
        pool.shutdown();
    }

    @Suite.Safe
    static void completionService(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        CompletionService<Suite.Box> service = new ExecutorCompletionService<>(pool, new LinkedBlockingQueue<>());
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            service.submit(() -> {
                box.value = 4;
                return box;
            });
            if (i > 1) Suite.check(service.take().get().value == 4);
        }
        pool.shutdown();
    }

    @Suite.Safe
    static void callerRuns(int n) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), Suite.factory(),
            new ThreadPoolExecutor.CallerRunsPolicy());
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            futures.add(pool.submit(() -> box.value++));
            if (futures.size() == 8) {
                for (Future<?> future : futures) future.get();
                futures.clear();
                box.value++;
            }
        }
        pool.shutdown();
    }

    /** A pool that keeps books around its tasks. */
    @Suite.Safe
    static void beforeAndAfterExecute(int n) throws Exception {
        Suite.Box books = new Suite.Box();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Suite.factory()) {
            @Override
            protected void beforeExecute(Thread thread, Runnable task) {
                books.value++;
            }

            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                books.value--;
            }

            @Override
            protected void terminated() {
                books.cells[0] = 1;
            }
        };
        for (int i = 0; i < n; i++) pool.execute(() -> Suite.check(books.value == 1));
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
        Suite.check(books.value == 0 && books.cells[0] == 1);
    }

    @Suite.Safe
    static void futureTask(int n) throws Exception {
        for (int i = 0; i < Math.max(1, n / 50); i++) {
            Suite.Box box = new Suite.Box();
            FutureTask<Suite.Box> task = new FutureTask<>(() -> {
                box.value = 9;
                return box;
            });
            Suite.together(task::run, () -> Suite.check(task.get().value == 9), () -> Suite.check(task.get().value == 9));
        }
    }

    @Suite.Safe
    static void schedule(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1, Suite.factory());
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            ScheduledFuture<Suite.Box> future = pool.schedule(() -> {
                box.value++;
                return box;
            }, 1, TimeUnit.MICROSECONDS);
            Suite.check(future.get().value == i + 1);
        }
        pool.shutdown();
    }

    /** One periodic task at a time, each after the last. */
    @Suite.Safe
    static void scheduleAtFixedRate(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3, Suite.factory());
        Suite.Box box = new Suite.Box();
        CountDownLatch enough = new CountDownLatch(Math.min(n, 2000));
        ScheduledFuture<?> ticks = pool.scheduleAtFixedRate(() -> {
            box.value++;
            enough.countDown();
        }, 0, 20, TimeUnit.MICROSECONDS);
        enough.await();
        ticks.cancel(false);
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
        Suite.check(box.value >= Math.min(n, 2000));
    }

    @Suite.Safe
    static void timer(int n) throws Exception {
        Timer timer = new Timer(true);
        for (int i = 0; i < Math.min(n, 3000); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            int expected = i;
            CountDownLatch done = new CountDownLatch(1);
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    Suite.check(box.value == expected);
                    box.value++;
                    done.countDown();
                }
            }, 0);
            done.await();
            Suite.check(box.value == i + 1);
        }
        timer.cancel();
    }

    private static final class Sum extends RecursiveTask<Suite.Box> {
        private final int[] numbers;
        private final int from;
        private final int to;

        Sum(int[] numbers, int from, int to) {
            this.numbers = numbers;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Suite.Box compute() {
            Suite.Box sum = new Suite.Box();
            if (to - from < 8) {
                for (int i = from; i < to; i++) sum.value += numbers[i]++;
                return sum;
            }
            Sum left = new Sum(numbers, from, (from + to) / 2);
            Sum right = new Sum(numbers, (from + to) / 2, to);
            left.fork();
            Suite.Box rest = right.compute();
            rest.value += left.join().value;
            return rest;
        }
    }

    @Suite.Safe
    static void recursiveTask(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        int[] numbers = new int[1 << 12];
        for (int round = 0; round < Math.max(2, n / 200); round++) {
            Suite.check(pool.invoke(new Sum(numbers, 0, numbers.length)).value == round * numbers.length);
        }
        pool.shutdown();
    }

    private static final class Fill extends RecursiveAction {
        private final Suite.Box[] boxes;
        private final int from;
        private final int to;

        Fill(Suite.Box[] boxes, int from, int to) {
            this.boxes = boxes;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from == 1) {
                boxes[from].value++;
                return;
            }
            int middle = (from + to) / 2;
            invokeAll(new Fill(boxes, from, middle), new Fill(boxes, middle, to));
            boxes[from].value++;
            boxes[to - 1].value++;
        }
    }

    @Suite.Safe
    static void recursiveActionInvokeAll(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        Suite.Box[] boxes = new Suite.Box[256];
        for (int i = 0; i < boxes.length; i++) boxes[i] = new Suite.Box();
        for (int round = 0; round < Math.max(2, n / 20); round++) pool.invoke(new Fill(boxes, 0, boxes.length));
        pool.shutdown();
    }

    @Suite.Safe
    static void commonPool(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            ForkJoinTask<?> task = ForkJoinPool.commonPool().submit(() -> box.value++);
            ForkJoinTask<Suite.Box> other = ForkJoinTask.adapt(Suite.Box::new);
            other.fork();
            if ((i & 1) == 0) task.join();
            else task.get();
            Suite.check(box.value == i + 1);
            box.value = other.join().value;
        }
    }

    private static final class Count extends CountedCompleter<Void> {
        private final Suite.Box[] boxes;
        private final int from;
        private final int to;
        private int sum;
        private Count left;
        private Count right;

        Count(CountedCompleter<?> parent, Suite.Box[] boxes, int from, int to) {
            super(parent);
            this.boxes = boxes;
            this.from = from;
            this.to = to;
        }

        @Override
        public void compute() {
            if (to - from > 4) {
                int middle = (from + to) / 2;
                left = new Count(this, boxes, from, middle);
                right = new Count(this, boxes, middle, to);
                setPendingCount(2);
                left.fork();
                right.fork();
            } else {
                for (int i = from; i < to; i++) sum += ++boxes[i].value;
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (left != null) sum = left.sum + right.sum;
        }
    }

    @Suite.Safe
    static void countedCompleter(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        Suite.Box[] boxes = new Suite.Box[256];
        for (int i = 0; i < boxes.length; i++) boxes[i] = new Suite.Box();
        for (int round = 1; round <= Math.max(2, n / 50); round++) {
            Count count = new Count(null, boxes, 0, boxes.length);
            pool.invoke(count);
            Suite.check(count.sum == round * boxes.length);
        }
        pool.shutdown();
    }

    @Suite.Safe
    static void managedBlocker(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < Math.max(1, n / 50); i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch latch = new CountDownLatch(1);
            ForkJoinTask<?> waits = pool.submit(() -> {
                ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
                    @Override
                    public boolean block() throws InterruptedException {
                        latch.await();
                        return true;
                    }

                    @Override
                    public boolean isReleasable() {
                        return latch.getCount() == 0;
                    }
                });
                return ++box.value;
            });
            box.value = 6;
            latch.countDown();
            waits.join();
            Suite.check(box.value == 7);
        }
        pool.shutdown();
    }

    @Suite.Safe
    static void parallelStreams(int n) throws Exception {
        Suite.Box[] boxes = new Suite.Box[1000];
        Arrays.setAll(boxes, i -> new Suite.Box());
        for (int round = 0; round < Math.max(1, n / 200); round++) {
            Arrays.stream(boxes).parallel().forEach(box -> box.value++);
            int expected = round + 1;
            Suite.check(Arrays.stream(boxes).parallel().allMatch(box -> box.value == expected));
            List<Suite.Box> made = IntStream.range(0, 500).parallel().mapToObj(i -> {
                Suite.Box box = new Suite.Box();
                box.value = i;
                return box;
            }).sorted().toList();
            Suite.check(made.get(499).value == 499);
            ArrayList<Suite.Box> collected = IntStream.range(0, 500).parallel().collect(ArrayList::new, (list, i) -> list.add(new Suite.Box()), ArrayList::addAll);
            Suite.check(collected.size() == 500);
        }
    }

    @Suite.Safe
    static void parallelArrays(int n) throws Exception {
        for (int round = 0; round < Math.max(1, n / 500); round++) {
            Suite.Box[] boxes = new Suite.Box[10_000];
            Arrays.parallelSetAll(boxes, i -> {
                Suite.Box box = new Suite.Box();
                box.value = i * 7919 % 10_007;
                return box;
            });
            Arrays.parallelSort(boxes, (a, b) -> Integer.compare(a.value, b.value));
            Suite.check(boxes[0].value <= boxes[1].value);
            int[] numbers = new int[10_000];
            Arrays.parallelSetAll(numbers, i -> boxes[i].value);
            Arrays.parallelPrefix(numbers, Integer::sum);
            Suite.check(numbers[1] >= numbers[0]);
        }
    }
}
