// As RunnableStartedTwoWays, but each object is run once: the executor and the thread get a Runnable each.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class RunnableStartedOneWay {
    static class Job implements Runnable {
        int rounds;

        @Override
        public void run() {
            rounds++; //~ NORACE: each object is run by one thread
        }
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(new Job());
        new Thread(new Job()).start();
        pool.shutdown();
    }
}
