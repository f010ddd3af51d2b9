// One Runnable is given to an executor and to a new Thread: two threads run it on the same object. A Thread that
// was started is also the task of another Thread, and a Callable that was submitted is also run by a FutureTask
// in a thread of its own.
package threads;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

public class RunnableStartedTwoWays {
    static class Job implements Runnable {
        int rounds;

        @Override
        public void run() {
            rounds++; //~ RACE
        }
    }

    static class Walker extends Thread {
        int steps;

        @Override
        public void run() {
            steps++; //~ RACE
        }
    }

    static class Question implements Callable<Integer> {
        int asked;

        @Override
        public Integer call() {
            asked++; //~ RACE
            return 1;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Job job = new Job();
        pool.execute(job);
        new Thread(job).start();

        Walker walker = new Walker();
        walker.start();
        new Thread(walker).start();

        Question question = new Question();
        pool.submit(question);
        new Thread(new FutureTask<>(question)).start();
        pool.shutdown();
    }
}
