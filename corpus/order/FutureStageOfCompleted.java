// A stage that depends on a future which somebody else completes: it may start while the task of the future still runs.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureStageOfCompleted {
    private int rows;

    public static void main(String[] args) {
        FutureStageOfCompleted report = new FutureStageOfCompleted();
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> {
            report.rows = 3; //~ RACE: may still run when the next stage starts
        });
        CompletableFuture<Void> shown = loading.thenRunAsync(() -> {
            System.out.println(report.rows); //~ RACE: complete started it, not the end of the task
        });
        loading.complete(null);
        shown.join();
    }
}
