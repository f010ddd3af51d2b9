import java.util.*;
import java.util.concurrent.*;

/** Thread pools: submit, invokeAll, exceptions through futures, cancellation, shutdown, scheduled tasks. */
public class ExecutorPools {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int n = i;
            futures.add(pool.submit(() -> fib(n)));
        }
        StringBuilder sb = new StringBuilder();
        for (Future<Integer> f : futures) sb.append(f.get()).append(' ');
        System.out.println(sb);
        List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> "c");
        for (Future<String> f : pool.invokeAll(calls)) System.out.print(f.get());
        System.out.println();
        Future<Object> failing = pool.submit(() -> { throw new IllegalStateException("in task"); });
        try {
            failing.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage() + " " + failing.isDone());
        }
        CountDownLatch block = new CountDownLatch(1);
        Future<?> stuck = pool.submit(() -> {
            try {
                block.await();
            } catch (InterruptedException e) {
                System.out.println("interrupted task");
            }
        });
        FutureTask<String> task = new FutureTask<>(() -> "task");
        pool.execute(task);
        System.out.println(task.get() + " " + stuck.isDone());
        block.countDown();
        System.out.println(stuck.get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS) + " " + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ExecutorService single = Executors.newSingleThreadExecutor(r -> new Thread(r, "single"));
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 5; i++) {
            int n = i;
            single.execute(() -> order.append(n).append(Thread.currentThread().getName().charAt(0)));
        }
        single.shutdown();
        single.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(order);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        ScheduledFuture<String> later = timer.schedule(() -> "scheduled", 3, TimeUnit.MILLISECONDS);
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> periodic = timer.scheduleAtFixedRate(ticks::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ticks.await();
        periodic.cancel(false);
        System.out.println(later.get() + " " + periodic.isCancelled());
        System.out.println(timer.shutdownNow().size() <= 1);
    }
}
