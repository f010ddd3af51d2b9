// A pool takes its tasks out of a queue of the application's own class, in each of its threads.
package threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class QueueOfPool {
    static class Counting extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1;
        private int asked;

        @Override
        public Runnable take() throws InterruptedException {
            asked++; //~ RACE
            return super.take();
        }
    }

    public static void main(String[] args) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new Counting());
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> Thread.yield());
        }
        pool.shutdown();
    }
}
