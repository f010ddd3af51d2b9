// The threads of a fork/join pool are of a class of the application, and count themselves when they start.
package threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

public class ForkJoinWorkerHooks {
    static class Worker extends ForkJoinWorkerThread {
        private static int started;

        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            started++; //~ RACE
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(4, Worker::new, null, false);
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> Thread.yield());
        }
        pool.shutdown();
    }
}
