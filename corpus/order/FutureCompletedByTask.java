// The twin of FutureCompletedByOther: nobody but the task completes the future.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureCompletedByTask {
    private int rows;

    public static void main(String[] args) {
        FutureCompletedByTask report = new FutureCompletedByTask();
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> {
            report.rows = 3; //~ NORACE: before join returns
        });
        CompletableFuture<Void> other = new CompletableFuture<>();
        other.complete(null);
        loading.join();
        System.out.println(report.rows); //~ NORACE: after join
    }
}
