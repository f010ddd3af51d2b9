// The pool has nothing to do when main waits for that, and gets a task afterwards.
package order;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

public class QuiescentBeforeStart {
    private static int data;

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.execute(() -> System.out.println("at once"));
        if (pool.awaitQuiescence(1, TimeUnit.MINUTES)) {
            pool.execute(() -> {
                data = 1; //~ RACE
            });
            System.out.println(data); //~ RACE: main has waited for the first task only
        }
    }
}
