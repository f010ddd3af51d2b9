// A future that somebody else completes: join returns while the task still runs.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureCompletedByOther {
    private int rows;

    public static void main(String[] args) {
        FutureCompletedByOther report = new FutureCompletedByOther();
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> {
            report.rows = 3; //~ RACE: may still run after join
        });
        loading.complete(null);
        loading.join();
        System.out.println(report.rows); //~ RACE: complete ended the wait, not the task
    }
}
