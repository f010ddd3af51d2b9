// Two pools: the tasks of the first are one for each run, the task of the second is submitted twice.
package threads;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class TwoPoolsTwoTasks {
    static class Own implements Callable<Integer> {
        private int steps;

        @Override
        public Integer call() {
            steps++; //~ NORACE: one object for each run
            return steps; //~ NORACE: one object for each run
        }
    }

    static class Common implements Callable<Integer> {
        private int steps;

        @Override
        public Integer call() {
            steps++; //~ RACE
            return steps; //~ RACE
        }
    }

    public static void main(String[] args) {
        ExecutorService first = Executors.newFixedThreadPool(2);
        ExecutorService second = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 3; i++) {
            first.submit(new Own());
        }
        Common common = new Common();
        second.submit(common);
        second.submit(common);
        first.shutdown();
        second.shutdown();
    }
}
