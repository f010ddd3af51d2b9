// isDone is true of a task that was cancelled, though it still runs.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FutureDoneAfterCancel {
    private int rows;

    public static void main(String[] args) {
        FutureDoneAfterCancel report = new FutureDoneAfterCancel();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> loading = pool.submit(() -> {
            report.rows = 3; //~ RACE: may still run after cancel
        });
        loading.cancel(true);
        while (!loading.isDone()) {
            Thread.onSpinWait();
        }
        System.out.println(report.rows); //~ RACE: done by being cancelled
        pool.shutdown();
    }
}
