// A fork/join pool runs the tasks of a list at the same time, and waits for all of them.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;

public class ForkJoinInvokeAll {
    private static int sum;

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(2);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            tasks.add(() -> {
                sum++; //~ RACE
                return null;
            });
        }
        pool.invokeAll(tasks);
        System.out.println(sum > 0); //~ NORACE: all tasks are done
        pool.shutdown();
    }
}
