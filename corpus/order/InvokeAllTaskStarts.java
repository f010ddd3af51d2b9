// invokeAll waits for its tasks, not for the thread that a task has started.
package order;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAllTaskStarts {
    private static int left;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Callable<Void> task = () -> {
            new Thread(() -> {
                left = 2; //~ RACE
            }).start();
            return null;
        };
        pool.invokeAll(List.of(task));
        System.out.println(left); //~ RACE: the thread may still run
        pool.shutdown();
    }
}
