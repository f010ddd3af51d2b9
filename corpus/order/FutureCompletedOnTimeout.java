// A future that is completed when the time is over: join returns while the task still runs.
package order;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class FutureCompletedOnTimeout {
    private int rows;

    public static void main(String[] args) {
        FutureCompletedOnTimeout report = new FutureCompletedOnTimeout();
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> {
            report.rows = 3; //~ RACE: may still run after join
        });
        loading.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS);
        loading.join();
        System.out.println(report.rows); //~ RACE: the time may be over first
    }
}
