import java.util.concurrent.*;

/** CompletableFuture chains on an explicit executor. */
public class Completable {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Integer> six = CompletableFuture.supplyAsync(() -> 6, pool);
        CompletableFuture<Integer> seven = CompletableFuture.supplyAsync(() -> 7, pool);
        System.out.println(six.thenCombine(seven, (a, b) -> a * b).get());
        System.out.println(six.thenApplyAsync(x -> x + 1, pool).thenApply(x -> "v" + x).join());
        System.out.println(CompletableFuture.supplyAsync(() -> {
            if (true) throw new IllegalArgumentException("bad");
            return 1;
        }, pool).exceptionally(e -> -1).join());
        System.out.println(six.thenCompose(x -> CompletableFuture.supplyAsync(() -> x * 100, pool)).get());
        CompletableFuture<String> manual = new CompletableFuture<>();
        CompletableFuture<Integer> length = manual.thenApply(String::length);
        new Thread(() -> manual.complete("completed")).start();
        System.out.println(length.get() + " " + manual.isDone());
        CompletableFuture<Void> all = CompletableFuture.allOf(six, seven, manual);
        all.get();
        System.out.println(all.isDone() + " " + CompletableFuture.anyOf(six).get());
        System.out.println(six.handle((v, e) -> e == null ? v : -1).get() + " " + six.whenComplete((v, e) -> System.out.println("saw " + v)).get());
        CompletableFuture<String> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException("failed"));
        try {
            failed.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            failed.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause());
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS));
    }
}
