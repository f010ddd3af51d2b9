// One Callable object submitted twice to a pool: its scratch field is shared by the two runs.
package threads;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class CallableSubmittedTwice implements Callable<Integer> {
    private int steps;

    @Override
    public Integer call() {
        for (int i = 0; i < 10; i++) {
            steps++; //~ RACE
        }
        return steps; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CallableSubmittedTwice task = new CallableSubmittedTwice();
        Future<Integer> one = pool.submit(task);
        Future<Integer> two = pool.submit(task);
        System.out.println(one.get() + two.get() > 0);
        pool.shutdown();
    }
}
