// A periodic task on a scheduler of one thread: it is alone with its state, and main reads it after the scheduler has
// ended.
package threads;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class ScheduledCancelled {
    private int runs;
    private long last;

    public static void main(String[] args) throws InterruptedException {
        ScheduledCancelled task = new ScheduledCancelled();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> handle = scheduler.scheduleAtFixedRate(task::tick, 0, 1, TimeUnit.MILLISECONDS);
        Thread.sleep(10);
        handle.cancel(false);
        scheduler.shutdown();
        if (scheduler.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println(task.runs >= 0 && task.last >= 0); //~ NORACE: all tasks have ended
        }
    }

    private void tick() {
        runs++; //~ NORACE: one run after the other
        last = System.nanoTime(); //~ NORACE: one run after the other
    }
}
