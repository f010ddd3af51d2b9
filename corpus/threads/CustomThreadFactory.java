// A thread factory that names threads with a plain counter: the pool calls it from whichever thread submits.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

public class CustomThreadFactory {
    static class Naming implements ThreadFactory {
        private int created;

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "worker-" + created++); //~ RACE
            thread.setDaemon(true);
            return thread;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool(new Naming());
        Thread first = new Thread(() -> pool.execute(() -> { }));
        Thread second = new Thread(() -> pool.execute(() -> { }));
        first.start();
        second.start();
        first.join();
        second.join();
        pool.shutdown();
    }
}
