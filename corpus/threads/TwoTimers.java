// Two timers are two threads: the same pair of tasks now races.
package threads;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TwoTimers {
    static class Tick extends TimerTask {
        private static int tocks;
        private final CountDownLatch done;

        Tick(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void run() {
            tocks++; //~ RACE
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        Timer slow = new Timer("slow", true);
        Timer fast = new Timer("fast", true);
        slow.schedule(new Tick(done), 2);
        fast.schedule(new Tick(done), 1);
        done.await();
        slow.cancel();
        fast.cancel();
    }
}
