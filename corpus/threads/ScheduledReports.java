// A scheduled executor with two threads runs a writer and a reporter over the same fields.
package threads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class ScheduledReports {
    private long bytes;

    void measure() {
        bytes += 512; //~ RACE
    }

    boolean report() {
        return bytes > 1024; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ScheduledReports monitor = new ScheduledReports();
        CountDownLatch rounds = new CountDownLatch(5);
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
        scheduler.scheduleAtFixedRate(monitor::measure, 0, 5, TimeUnit.MILLISECONDS);
        scheduler.scheduleWithFixedDelay(() -> {
            monitor.report();
            rounds.countDown();
        }, 0, 5, TimeUnit.MILLISECONDS);
        rounds.await();
        scheduler.shutdownNow();
        scheduler.awaitTermination(5, TimeUnit.SECONDS);
    }
}
