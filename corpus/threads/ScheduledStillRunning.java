// As ScheduledCancelled, but main only cancels: a run may still be going on when it reads.
package threads;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class ScheduledStillRunning {
    private int runs;

    public static void main(String[] args) throws InterruptedException {
        ScheduledStillRunning task = new ScheduledStillRunning();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> handle = scheduler.scheduleAtFixedRate(task::tick, 0, 1, TimeUnit.MILLISECONDS);
        Thread.sleep(10);
        handle.cancel(false);
        System.out.println(task.runs >= 0); //~ RACE
        scheduler.shutdown();
    }

    private void tick() {
        runs++; //~ RACE
    }
}
