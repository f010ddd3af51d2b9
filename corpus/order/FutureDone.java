// The twin of FutureDoneAfterCancel: nobody cancels the task, so isDone says that it has ended.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FutureDone {
    private int rows;

    public static void main(String[] args) {
        FutureDone report = new FutureDone();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> loading = pool.submit(() -> {
            report.rows = 3; //~ NORACE: before it is done
        });
        while (!loading.isDone()) {
            Thread.onSpinWait();
        }
        System.out.println(report.rows); //~ NORACE: after it is done
        pool.shutdown();
    }
}
