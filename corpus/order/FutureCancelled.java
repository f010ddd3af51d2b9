// A task that is cancelled while it runs: get throws at once, and the task goes on.
package order;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FutureCancelled {
    private int rows;

    public static void main(String[] args) throws Exception {
        FutureCancelled report = new FutureCancelled();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> loading = pool.submit(() -> {
            report.rows = 3; //~ RACE: may still run after cancel
        });
        loading.cancel(false);
        try {
            loading.get();
        } catch (CancellationException cancelled) {
            System.out.println("cancelled");
        }
        System.out.println(report.rows); //~ RACE: get threw, and waited for nothing
        pool.shutdown();
    }
}
