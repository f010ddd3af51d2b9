import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tasks and their submitters that touch a box at the same time. */
final class RacyTasks {
    private interface Use {
        void in(ExecutorService pool) throws Exception;
    }

    private static void with(ExecutorService pool, Use use) throws Exception {
        use.in(pool);
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Suite.Racy
    static void writeAfterSubmit(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            Future<?> future = pool.submit(() -> box.value++);
            box.value++;
            future.get();
        });
    }

    @Suite.Racy
    static void readBeforeGet(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(Executors.newCachedThreadPool(Suite.factory()), pool -> {
            Future<?> future = pool.submit(() -> box.value = 2);
            Suite.check(box.value >= 0);
            future.get();
        });
    }

    /** Two tasks that run at the same time. */
    @Suite.Racy
    static void invokeAllOnOneBox(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Callable<Integer> task = () -> {
            Suite.meet(barrier);
            return box.value++;
        };
        with(Executors.newFixedThreadPool(2, Suite.factory()), pool -> pool.invokeAll(List.of(task, task)));
    }

    @Suite.Racy
    static void readAfterShutdown(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            pool.execute(() -> box.value = 2);
            pool.shutdown();
            Suite.check(box.value >= 0);
        });
    }

    /** The pool has not ended when the wait is over. */
    @Suite.Racy
    static void terminationTimedOut(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch end = new CountDownLatch(1);
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            pool.submit(() -> {
                box.value = 2;
                end.await();
                return null;
            });
            pool.shutdown();
            Suite.check(!pool.awaitTermination(5, TimeUnit.MILLISECONDS));
            Suite.check(box.value >= 0);
            end.countDown();
        });
    }

    @Suite.Racy
    static void readAfterCancel(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch started = new CountDownLatch(1);
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            Future<?> future = pool.submit(() -> {
                started.countDown();
                box.value = 2;
            });
            started.await();
            Suite.check(box.value >= 0);
            future.cancel(false);
        });
    }

    @Suite.Racy
    static void writeAfterSchedule(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1, Suite.factory());
        with(pool, ignored -> {
            Future<?> future = pool.schedule(() -> box.value++, 1, TimeUnit.MILLISECONDS);
            box.value++;
            future.get();
        });
    }

    @Suite.Racy
    static void writeAfterTimer(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                writtenByTimer(box);
                done.countDown();
            }
        }, 1);
        box.value++;
        done.await();
        timer.cancel();
    }

    private static void writtenByTimer(Suite.Box box) {
        box.value++;
    }

    @Suite.Racy
    static void writeAfterFork(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(new ForkJoinPool(2), pool -> {
            ForkJoinTask<?> task = ((ForkJoinPool) pool).submit(() -> box.value++);
            box.value++;
            task.join();
        });
    }

    @Suite.Racy
    static void readBeforeJoinOfTask(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(new ForkJoinPool(2), pool -> {
            ForkJoinTask<?> task = ((ForkJoinPool) pool).submit(() -> {
                box.value = 3;
            });
            Suite.check(box.value >= 0);
            task.get();
        });
    }

    @Suite.Racy
    static void subtasksOnOneBox(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CyclicBarrier barrier = new CyclicBarrier(2);
        Callable<Integer> task = () -> {
            Suite.meet(barrier);
            return box.value++;
        };
        with(new ForkJoinPool(4), pool -> {
            Future<Integer> first = pool.submit(task);
            Future<Integer> second = pool.submit(task);
            first.get();
            second.get();
        });
    }

    /** A sum that all threads of a parallel stream add to. */
    @Suite.Racy
    static void parallelSum(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch two = new CountDownLatch(2);
        ThreadLocal<Boolean> here = ThreadLocal.withInitial(() -> false);
        with(new ForkJoinPool(4), pool -> pool.submit(() -> IntStream.range(0, 64).parallel().forEach(i -> {
            if (!here.get()) {
                here.set(true);
                two.countDown();
                try {
                    two.await(5, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            box.value += i;
        })).get());
    }

    @Suite.Racy
    static void writeAfterComplete(int n) throws Exception {
        CompletableFuture<Suite.Box> future = new CompletableFuture<>();
        Suite.together(() -> {
            Suite.Box box = new Suite.Box();
            future.complete(box);
            box.value = 1;
        }, () -> future.join().value++);
    }

    @Suite.Racy
    static void writeBesideSupply(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            CompletableFuture<Void> future = CompletableFuture.runAsync(() -> box.value++, pool);
            box.value++;
            future.join();
        });
    }

    /** Two stages that hang on the same one are not ordered. */
    @Suite.Racy
    static void siblingStages(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CyclicBarrier barrier = new CyclicBarrier(2);
        with(Executors.newFixedThreadPool(2, Suite.factory()), pool -> {
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> {}, pool);
            CompletableFuture<Void> left = first.thenRunAsync(() -> Suite.quietly(() -> {
                Suite.meet(barrier);
                box.value++;
            }), pool);
            CompletableFuture<Void> right = first.thenRunAsync(() -> Suite.quietly(() -> {
                Suite.meet(barrier);
                box.value++;
            }), pool);
            left.join();
            right.join();
        });
    }

    /** Only the other of two is waited for. */
    @Suite.Racy
    static void anyOfTwo(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch read = new CountDownLatch(1);
        with(Executors.newFixedThreadPool(2, Suite.factory()), pool -> {
            CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> Suite.quietly(() -> {
                box.value = 1;
                read.await();
            }), pool);
            CompletableFuture<Void> quick = CompletableFuture.runAsync(() -> {}, pool);
            CompletableFuture.anyOf(slow, quick).join();
            Suite.check(box.value >= 0);
            read.countDown();
        });
    }

    @Suite.Racy
    static void writeAfterPublish(int n) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        with(Executors.newFixedThreadPool(1, Suite.factory()), pool -> {
            SubmissionPublisher<Suite.Box> publisher = new SubmissionPublisher<>(pool, 4);
            publisher.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    given.request(1);
                }

                @Override
                public void onNext(Suite.Box box) {
                    box.value++;
                    done.countDown();
                }

                @Override
                public void onError(Throwable e) {}

                @Override
                public void onComplete() {}
            });
            Suite.Box box = new Suite.Box();
            publisher.submit(box);
            box.value++;
            done.await();
            publisher.close();
        });
    }
}
