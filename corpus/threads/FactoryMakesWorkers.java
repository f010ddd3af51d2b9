// The threads of a pool are of a class of the application, whose run method counts around the pool's work.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FactoryMakesWorkers {
    static class Counted extends Thread {
        private static int started;

        Counted(Runnable work) {
            super(work);
        }

        @Override
        public void run() {
            started++; //~ RACE: the pool has two threads
            super.run();
        }
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(2, Counted::new);
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> Thread.yield());
        }
        pool.shutdown();
    }
}
