// invokeAll waits for the tasks, but the tasks run at the same time and add to one sum.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAllSharedSum {
    private static long sum;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            final int number = i;
            tasks.add(() -> {
                sum += number; //~ RACE
                return null;
            });
        }
        pool.invokeAll(tasks);
        System.out.println(sum); //~ NORACE: all tasks are done
        pool.shutdown();
    }
}
