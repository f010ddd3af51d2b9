// What a pool does beside its tasks it does in its worker threads: a future is done before afterExecute is called.
package threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolHooks {
    static class Counting extends ThreadPoolExecutor {
        private int executed;
        private boolean over;
        private final AtomicInteger begun = new AtomicInteger();

        Counting() {
            super(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            begun.incrementAndGet(); //~ NORACE: atomic
        }

        @Override
        protected void afterExecute(Runnable task, Throwable failure) {
            executed++; //~ RACE: with the other worker, and with main
        }

        @Override
        protected void terminated() {
            over = true; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Counting pool = new Counting();
        for (int i = 0; i < 4; i++) {
            pool.submit(() -> System.out.println("work")).get();
        }
        System.out.println(pool.executed + pool.begun.get()); //~ RACE
        pool.shutdown();
        System.out.println(pool.over); //~ RACE
    }
}
