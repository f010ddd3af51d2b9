// Timers: java.util.Timer, tasks that cancel themselves, daemon timers, and delay queues.

import java.util.*;
import java.util.concurrent.*;

public class Timers {
    static class Repeating extends TimerTask {
        private final CountDownLatch latch;
        private int runs;
        Repeating(CountDownLatch latch) { this.latch = latch; }
        @Override public void run() {
            latch.countDown();
            if (++runs == 3) cancel();
        }
    }

    record Due(long at, String name) implements Delayed {
        @Override public long getDelay(TimeUnit unit) { return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        @Override public int compareTo(Delayed other) { return Long.compare(at, ((Due) other).at()); }
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer("ticks", true);
        CountDownLatch latch = new CountDownLatch(3);
        timer.schedule(new Repeating(latch), 1, 2);
        latch.await();
        CountDownLatch once = new CountDownLatch(1);
        timer.schedule(new TimerTask() {
            @Override public void run() { once.countDown(); }
        }, new Date());
        once.await();
        timer.purge();
        timer.cancel();
        try {
            timer.schedule(new Repeating(latch), 1);
        } catch (IllegalStateException expected) {
            System.out.println("cancelled");
        }
        DelayQueue<Due> queue = new DelayQueue<>();
        long now = System.nanoTime();
        queue.add(new Due(now + 4_000_000, "later"));
        queue.add(new Due(now + 1_000_000, "sooner"));
        System.out.println(queue.take().name() + " " + queue.take().name());
    }
}
