// A task that was submitted is also run by the thread that submitted it: through a FutureTask, and by calling
// `run` of a Thread.
package threads;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

public class TaskRunByStarter {
    static class Question implements Callable<Integer> {
        int asked;

        @Override
        public Integer call() {
            asked++; //~ RACE
            return 1;
        }
    }

    static class Job implements Runnable {
        int rounds;

        @Override
        public void run() {
            rounds++; //~ RACE
        }
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Question question = new Question();
        pool.submit(question);
        new FutureTask<>(question).run();

        Job job = new Job();
        pool.submit(job);
        new Thread(job).run();
        pool.shutdown();
    }
}
