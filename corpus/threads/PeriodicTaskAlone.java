// One periodic task: its runs never overlap and each happens before the next, so its own state needs no lock.
package threads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class PeriodicTaskAlone {
    static class Heartbeat implements Runnable {
        private int beats;
        private final CountDownLatch enough = new CountDownLatch(3);

        @Override
        public void run() {
            beats++; //~ NORACE: runs of one periodic task are ordered
            enough.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Heartbeat heart = new Heartbeat();
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
        scheduler.scheduleAtFixedRate(heart, 0, 3, TimeUnit.MILLISECONDS);
        heart.enough.await();
        scheduler.shutdown();
        System.out.println("alive");
    }
}
