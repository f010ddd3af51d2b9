// Executors of every kind: fixed, scheduled, fork/join, completion service, own thread factory, rejected tasks.

import java.util.*;
import java.util.concurrent.*;

public class Pools {
    static class Sum extends RecursiveTask<Long> {
        private final int from, to;
        Sum(int from, int to) { this.from = from; this.to = to; }
        @Override protected Long compute() {
            if (to - from < 50) {
                long sum = 0;
                for (int i = from; i < to; i++) sum += i;
                return sum;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            return new Sum(middle, to).compute() + left.join();
        }
    }

    static class Walk extends RecursiveAction {
        private final int depth;
        Walk(int depth) { this.depth = depth; }
        @Override protected void compute() {
            if (depth > 0) invokeAll(new Walk(depth - 1), new Walk(depth - 1));
        }
    }

    static class Named implements ThreadFactory {
        private int count;
        @Override public synchronized Thread newThread(Runnable task) {
            Thread thread = new Thread(task, "named-" + count++);
            thread.setDaemon(true);
            return thread;
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(2), new Named()) {
            @Override protected void beforeExecute(Thread thread, Runnable task) { before++; }
            @Override protected void afterExecute(Runnable task, Throwable thrown) { after++; }
        };
        pool.setRejectedExecutionHandler((task, executor) -> task.run());
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            futures.add(pool.submit(() -> number * number));
        }
        int sum = 0;
        for (Future<Integer> future : futures) sum += future.get();
        pool.shutdown();
        System.out.println(sum + " " + pool.awaitTermination(5, TimeUnit.SECONDS));

        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> periodic = scheduler.scheduleAtFixedRate(ticks::countDown, 0, 5, TimeUnit.MILLISECONDS);
        ticks.await();
        periodic.cancel(false);
        System.out.println(scheduler.schedule(() -> "once", 1, TimeUnit.MILLISECONDS).get());
        scheduler.shutdownNow();

        ForkJoinPool forks = new ForkJoinPool(2);
        System.out.println(forks.invoke(new Sum(0, 1000)));
        forks.invoke(new Walk(3));
        forks.shutdown();

        ExecutorService single = Executors.newSingleThreadExecutor();
        CompletionService<String> completion = new ExecutorCompletionService<>(single);
        completion.submit(() -> "a");
        completion.submit(new Callable<String>() {
            @Override public String call() { return "b"; }
        });
        System.out.println(completion.take().get() + completion.take().get() + single.invokeAny(List.of(() -> "c")));
        try {
            single.submit(() -> { throw new java.io.IOException("in task"); }).get();
        } catch (ExecutionException wrapped) {
            System.out.println(wrapped.getCause().getMessage());
        }
        single.shutdown();
        try {
            single.execute(() -> { });
        } catch (RejectedExecutionException expected) {
            System.out.println("rejected");
        }
    }

    private static volatile int before, after;
}
