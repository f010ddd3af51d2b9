import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;

/** Hand-over through completable futures and flows. */
final class Futures {
    private static Suite.Box filled(int value) {
        Suite.Box box = new Suite.Box();
        box.value = value;
        box.cells[0] = value;
        return box;
    }

    private static Suite.Box raised(Suite.Box box) {
        box.value++;
        box.cells[0]++;
        return box;
    }

    /** Repeats a pipeline in a pool of two. */
    private static void pipelines(int n, Pipeline pipeline) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n; i++) {
            Suite.Box result = pipeline.start(pool, i).join();
            Suite.check(result.value == i + 2 && result.cells[0] == i + 2);
            result.value = 0;
        }
        pool.shutdown();
    }

    private interface Pipeline {
        CompletableFuture<Suite.Box> start(ExecutorService pool, int i);
    }

    @Suite.Safe
    static void thenApply(int n) throws Exception {
        pipelines(n, (pool, i) -> CompletableFuture.supplyAsync(() -> filled(i), pool).thenApply(Futures::raised).thenApplyAsync(Futures::raised, pool));
    }

    @Suite.Safe
    static void thenCompose(int n) throws Exception {
        pipelines(n, (pool, i) -> CompletableFuture.supplyAsync(() -> filled(i + 1), pool)
            .thenCompose(box -> CompletableFuture.supplyAsync(() -> raised(box), pool)));
    }

    @Suite.Safe
    static void thenCombine(int n) throws Exception {
        pipelines(n, (pool, i) -> {
            CompletableFuture<Suite.Box> left = CompletableFuture.supplyAsync(() -> filled(i), pool);
            CompletableFuture<Suite.Box> right = CompletableFuture.supplyAsync(() -> filled(2), pool);
            return left.thenCombine(right, (a, b) -> {
                a.value += b.value;
                a.cells[0] += b.cells[0];
                return a;
            });
        });
    }

    @Suite.Safe
    static void allOf(int n) throws Exception {
        pipelines(n, (pool, i) -> {
            Suite.Box[] boxes = {new Suite.Box(), new Suite.Box(), new Suite.Box()};
            CompletableFuture<?>[] parts = new CompletableFuture<?>[3];
            for (int k = 0; k < 3; k++) {
                Suite.Box box = boxes[k];
                parts[k] = CompletableFuture.runAsync(() -> box.value = i, pool);
            }
            return CompletableFuture.allOf(parts).thenApply(ignored -> {
                for (Suite.Box box : boxes) Suite.check(box.value == i);
                return filled(boxes[1].value + 2);
            });
        });
    }

    @Suite.Safe
    static void anyOf(int n) throws Exception {
        pipelines(n, (pool, i) -> CompletableFuture.anyOf(
            CompletableFuture.supplyAsync(() -> filled(i + 1), pool), CompletableFuture.supplyAsync(() -> filled(i + 1), pool))
            .thenApply(box -> raised((Suite.Box) box)));
    }

    @Suite.Safe
    static void eitherAndBoth(int n) throws Exception {
        pipelines(n, (pool, i) -> {
            CompletableFuture<Suite.Box> left = CompletableFuture.supplyAsync(() -> filled(i + 1), pool);
            CompletableFuture<Suite.Box> right = CompletableFuture.supplyAsync(() -> filled(i + 1), pool);
            CompletableFuture<Suite.Box> either = left.applyToEither(right, box -> filled(box.value + 1));
            CompletableFuture<Void> both = left.runAfterBothAsync(right, () -> Suite.check(left.join().value == right.join().value), pool);
            return both.thenCombine(either, (ignored, box) -> box);
        });
    }

    @Suite.Safe
    static void exceptionally(int n) throws Exception {
        pipelines(n, (pool, i) -> {
            Suite.Box box = filled(i);
            return CompletableFuture.<Suite.Box>supplyAsync(() -> {
                box.value++;
                box.cells[0]++;
                throw new CompletionException(new IllegalStateException());
            }, pool).exceptionally(e -> raised(box)).whenComplete((result, e) -> Suite.check(e == null));
        });
    }

    @Suite.Safe
    static void handleAndAccept(int n) throws Exception {
        pipelines(n, (pool, i) -> CompletableFuture.supplyAsync(() -> filled(i), pool).handleAsync((box, e) -> raised(box), pool)
            .thenCompose(box -> CompletableFuture.completedFuture(box).thenAcceptAsync(Futures::raised, pool).thenApply(ignored -> box)));
    }

    @Suite.Safe
    static void completeByHand(int n) throws Exception {
        CompletableFuture<Suite.Box>[] futures = fresh(n);
        Suite.pair(n, i -> futures[i].complete(filled(i)), i -> {
            Suite.Box box = (i & 1) == 0 ? futures[i].get() : futures[i].orTimeout(20, TimeUnit.SECONDS).join();
            Suite.check(raised(box).value == i + 1);
        });
    }

    @Suite.Safe
    static void getNow(int n) throws Exception {
        CompletableFuture<Suite.Box>[] futures = fresh(n);
        Suite.pair(n, i -> futures[i].complete(filled(i)), i -> Suite.check(raised(Suite.poll(() -> futures[i].getNow(null))).value == i + 1));
    }

    @Suite.Safe
    static void completeExceptionally(int n) throws Exception {
        CompletableFuture<Suite.Box>[] futures = fresh(n);
        Suite.Box[] boxes = new Suite.Box[n];
        Suite.pair(n, i -> {
            boxes[i] = filled(i);
            futures[i].completeExceptionally(new IllegalStateException());
        }, i -> {
            Suite.until(futures[i]::isCompletedExceptionally);
            raised(boxes[i]);
        });
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<Suite.Box>[] fresh(int n) {
        CompletableFuture<Suite.Box>[] futures = new CompletableFuture[n];
        for (int i = 0; i < n; i++) futures[i] = new CompletableFuture<>();
        return futures;
    }

    @Suite.Safe
    static void delayedExecutor(int n) throws Exception {
        for (int i = 0; i < Math.max(1, n / 50); i++) {
            Suite.Box box = filled(i);
            CompletableFuture.runAsync(() -> raised(box), CompletableFuture.delayedExecutor(1, TimeUnit.MICROSECONDS)).join();
            Suite.check(box.value == i + 1);
        }
    }

    @Suite.Safe
    static void submissionPublisher(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        SubmissionPublisher<Suite.Box> publisher = new SubmissionPublisher<>(pool, 16);
        Suite.Box seen = new Suite.Box();
        CountDownLatch done = new CountDownLatch(1);
        publisher.subscribe(new Flow.Subscriber<>() {
            private Flow.Subscription subscription;

            @Override
            public void onSubscribe(Flow.Subscription given) {
                subscription = given;
                given.request(1);
            }

            @Override
            public void onNext(Suite.Box box) {
                Suite.check(box.value == seen.value);
                seen.value++;
                box.value = -1;
                subscription.request(1);
            }

            @Override
            public void onError(Throwable e) {
                done.countDown();
            }

            @Override
            public void onComplete() {
                done.countDown();
            }
        });
        for (int i = 0; i < n; i++) publisher.submit(filled(i));
        publisher.close();
        done.await();
        Suite.check(seen.value == n);
        pool.shutdown();
    }
}
