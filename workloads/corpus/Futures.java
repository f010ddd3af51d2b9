// CompletableFuture: chains, combination, failure, asynchronous stages, other executors.

import java.util.concurrent.*;
import java.util.function.*;

public class Futures {
    static int slow(int value) {
        try {
            Thread.sleep(2);
        } catch (InterruptedException stopped) {
            throw new CompletionException(stopped);
        }
        return value;
    }

    static String describe(Object value, Throwable thrown) {
        return thrown == null ? "ok " + value : "failed " + thrown.getClass().getSimpleName();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> slow(2), executor);
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> slow(3));
        CompletableFuture<String> chain = first.thenCombine(second, Integer::sum)
            .thenApply(sum -> sum * 10)
            .thenCompose(value -> CompletableFuture.supplyAsync(() -> "value " + value, executor))
            .whenComplete((value, thrown) -> { if (thrown != null) thrown.printStackTrace(); });
        System.out.println(chain.get());
        CompletableFuture<Object> failed = CompletableFuture.supplyAsync(() -> { throw new IllegalArgumentException("no"); }, executor);
        System.out.println(failed.handle(Futures::describe).get());
        System.out.println(failed.exceptionally(thrown -> "instead of " + thrown.getCause().getMessage()).get());
        CompletableFuture<Void> all = CompletableFuture.allOf(first, second, chain);
        all.thenRun(() -> System.out.println("all")).join();
        System.out.println(CompletableFuture.anyOf(first, CompletableFuture.completedFuture(2)).get());
        CompletableFuture<String> late = new CompletableFuture<>();
        CompletableFuture<Integer> length = late.thenApplyAsync(String::length, executor);
        new Thread(() -> late.complete("four")).start();
        length.thenAccept(System.out::println).get();
        first.acceptEither(second, value -> { }).get();
        System.out.println(new CompletableFuture<String>().completeOnTimeout("timeout", 5, TimeUnit.MILLISECONDS).get());
        FutureTask<String> task = new FutureTask<>(() -> "task");
        task.run();
        System.out.println(task.get());
        executor.shutdown();
    }
}
