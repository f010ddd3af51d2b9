import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Repeated parallel phases without locks, for lockset detection: {@code Phases CASE...}. In each phase two or three threads work on cells of their own and on fields that one of them has,
 * which differ from phase to phase; only what ends a phase orders. A case whose name begins with {@code racy} has no such order at one place.
 */
final class Phases {
    private static final int PHASES = 6;
    private static final int WORKERS = 3;

    /** What the phases work on. */
    static final class Grid {
        final long[] cells = new long[64];
        final long[] sums = new long[WORKERS];
        long total;
    }

    private interface Work {
        void run(int worker) throws Exception;
    }

    /** A worker's part of a phase: its cells are others in the next phase. */
    private static void part(Grid grid, int phase, int worker) {
        int mine = (phase + worker) % WORKERS;
        for (int i = mine; i < grid.cells.length; i += WORKERS) grid.cells[i] += i;
        grid.sums[mine]++;
    }

    private static void all(Grid grid) {
        for (long cell : grid.cells) grid.total += cell;
        grid.total++;
    }

    private static Thread[] start(Work work) {
        Thread[] threads = new Thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            int worker = i;
            threads[i] = new Thread(() -> {
                try {
                    work.run(worker);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[i].start();
        }
        return threads;
    }

    private static void join(Thread[] threads) throws Exception {
        for (Thread thread : threads) thread.join();
    }

    static void startAndJoin() throws Exception {
        Grid grid = new Grid();
        for (int i = 0; i < PHASES; i++) {
            int phase = i;
            join(start(worker -> part(grid, phase, worker)));
            all(grid);
        }
    }

    static void barrier() throws Exception {
        Grid grid = new Grid();
        CyclicBarrier barrier = new CyclicBarrier(WORKERS, () -> all(grid));
        join(start(worker -> {
            for (int phase = 0; phase < PHASES; phase++) {
                part(grid, phase, worker);
                barrier.await();
            }
        }));
        all(grid);
    }

    static void phaser() throws Exception {
        Grid grid = new Grid();
        Phaser phaser = new Phaser(WORKERS);
        join(start(worker -> {
            for (int phase = 0; phase < PHASES; phase++) {
                part(grid, phase, worker);
                phaser.arriveAndAwaitAdvance();
            }
        }));
        all(grid);
    }

    static void latches() throws Exception {
        Grid grid = new Grid();
        for (int i = 0; i < PHASES; i++) {
            int phase = i;
            CountDownLatch done = new CountDownLatch(WORKERS);
            start(worker -> {
                part(grid, phase, worker);
                done.countDown();
            });
            done.await();
            all(grid);
        }
    }

    static void executor() throws Exception {
        Grid grid = new Grid();
        ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
        for (int i = 0; i < PHASES; i++) {
            List<Future<?>> futures = new ArrayList<>();
            for (int j = 0; j < WORKERS; j++) {
                int phase = i, worker = j;
                futures.add(pool.submit(() -> part(grid, phase, worker)));
            }
            for (Future<?> future : futures) future.get();
            all(grid);
        }
        pool.shutdown();
    }

    static void invokeAll() throws Exception {
        Grid grid = new Grid();
        ExecutorService pool = Executors.newCachedThreadPool();
        for (int i = 0; i < PHASES; i++) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int j = 0; j < WORKERS; j++) {
                int phase = i, worker = j;
                tasks.add(() -> {
                    part(grid, phase, worker);
                    return null;
                });
            }
            pool.invokeAll(tasks);
            all(grid);
        }
        pool.shutdown();
    }

    static void termination() throws Exception {
        Grid grid = new Grid();
        for (int i = 0; i < PHASES; i++) {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            for (int j = 0; j < WORKERS; j++) {
                int phase = i, worker = j;
                pool.execute(() -> part(grid, phase, worker));
            }
            pool.shutdown();
            if (pool.awaitTermination(20, TimeUnit.SECONDS)) all(grid);
        }
    }

    static void queue() throws Exception {
        queue(new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>());
    }

    private static void queue(BlockingQueue<Grid> there, BlockingQueue<Grid> back) throws Exception {
        Thread[] threads = start(worker -> {
            for (int phase = 0; phase < PHASES; phase++) {
                Grid grid = there.take();
                part(grid, phase, worker);
                grid.total++;
                back.put(grid);
            }
        });
        for (int i = 0; i < 2; i++) there.put(new Grid());
        for (int i = 0; i < PHASES * WORKERS; i++) {
            Grid grid = back.take();
            all(grid);
            there.put(grid);
            if (there.size() == 2 && i + 1 == PHASES * WORKERS) break;
        }
        join(threads);
    }

    static void semaphores() throws Exception {
        Grid grid = new Grid();
        Semaphore[] turns = new Semaphore[WORKERS];
        for (int i = 0; i < WORKERS; i++) turns[i] = new Semaphore(i == 0 ? 1 : 0);
        join(start(worker -> {
            for (int phase = 0; phase < PHASES; phase++) {
                turns[worker].acquire();
                all(grid);
                turns[(worker + 1) % WORKERS].release();
            }
        }));
    }

    static void exchanger() throws Exception {
        Exchanger<Grid> exchanger = new Exchanger<>();
        Work work = worker -> {
            Grid grid = new Grid();
            for (int phase = 0; phase < PHASES; phase++) {
                all(grid);
                grid = exchanger.exchange(grid);
            }
        };
        Thread one = new Thread(() -> quietly(work, 0));
        Thread other = new Thread(() -> quietly(work, 1));
        one.start();
        other.start();
        one.join();
        other.join();
    }

    private static void quietly(Work work, int worker) {
        try {
            work.run(worker);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void forkJoin() throws Exception {
        Grid grid = new Grid();
        ForkJoinPool pool = new ForkJoinPool(WORKERS);
        for (int i = 0; i < PHASES; i++) {
            int phase = i;
            pool.submit(new RecursiveAction() {
                @Override
                protected void compute() {
                    List<RecursiveAction> parts = new ArrayList<>();
                    for (int j = 0; j < WORKERS; j++) {
                        int worker = j;
                        RecursiveAction part = new RecursiveAction() {
                            @Override
                            protected void compute() {
                                part(grid, phase, worker);
                            }
                        };
                        part.fork();
                        parts.add(part);
                    }
                    for (RecursiveAction part : parts) part.join();
                    all(grid);
                }
            }).get();
            all(grid);
        }
        pool.shutdown();
    }

    static void completableFuture() throws Exception {
        Grid grid = new Grid();
        ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
        for (int i = 0; i < PHASES; i++) {
            List<CompletableFuture<Void>> futures = new ArrayList<>();
            for (int j = 0; j < WORKERS; j++) {
                int phase = i, worker = j;
                futures.add(CompletableFuture.runAsync(() -> part(grid, phase, worker), pool));
            }
            for (CompletableFuture<Void> future : futures) future.join();
            all(grid);
        }
        pool.shutdown();
    }

    // --- without order at one place

    /** The last phase begins before the others have ended. */
    static void racyStartAndJoin() throws Exception {
        Grid grid = new Grid();
        join(start(worker -> part(grid, 0, worker)));
        Thread[] late = start(worker -> part(grid, 1, worker));
        join(start(worker -> part(grid, 2, worker)));
        join(late);
    }

    /** Nobody waits at the barrier after one of the phases; all have left it by the next one. */
    static void racyBarrier() throws Exception {
        Grid grid = new Grid();
        CyclicBarrier barrier = new CyclicBarrier(WORKERS);
        join(start(worker -> {
            for (int phase = 0; phase < PHASES; phase++) {
                part(grid, phase, worker);
                if (phase == 3) Thread.sleep(50);
                else barrier.await();
            }
        }));
    }

    static void racyExecutor() throws Exception {
        Grid grid = new Grid();
        ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
        for (int i = 0; i < PHASES; i++) {
            List<Future<?>> futures = new ArrayList<>();
            for (int j = 0; j < WORKERS; j++) {
                int phase = i, worker = j;
                futures.add(pool.submit(() -> part(grid, phase, worker)));
            }
            for (Future<?> future : futures.subList(0, i == 3 ? 1 : WORKERS)) future.get();
            all(grid);
        }
        pool.shutdown();
    }

    /** It is used on after it was handed over. */
    static void racyQueue() throws Exception {
        BlockingQueue<Grid> queue = new ArrayBlockingQueue<>(8);
        Thread taker = new Thread(() -> quietly(worker -> {
            for (int i = 0; i < PHASES; i++) all(queue.take());
        }, 0));
        taker.start();
        for (int i = 0; i < PHASES; i++) {
            Grid grid = new Grid();
            all(grid);
            queue.put(grid);
            if (i != 3) continue;
            Thread.sleep(50);
            all(grid);
        }
        taker.join();
    }

    /** In one lock on one side only: another schedule shows the race. */
    static void racyLock() throws Exception {
        Grid grid = new Grid();
        all(grid);
        Object lock = new Object();
        Thread one = new Thread(() -> {
            all(grid);
            synchronized (lock) {
                grid.sums[0]++;
            }
        });
        one.start();
        Thread.sleep(50);
        Thread other = new Thread(() -> {
            synchronized (lock) {
                grid.sums[0]++;
            }
            all(grid);
        });
        other.start();
        one.join();
        other.join();
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) Phases.class.getDeclaredMethod(name).invoke(null);
        System.out.println("done");
    }
}
