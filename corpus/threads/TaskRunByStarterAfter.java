// As TaskRunByStarter, but the thread runs the task itself only after it has waited for the one that it submitted.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class TaskRunByStarterAfter {
    static class Job implements Runnable {
        int rounds;

        @Override
        public void run() {
            rounds++; //~ NORACE: the first run has ended
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Job job = new Job();
        pool.submit(job).get();
        new Thread(job).run();
        pool.shutdown();
    }
}
