// A list of futures from which an element is polled before the loop that waits for all.
package order;

import java.util.LinkedList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FutureListShrinks {
    private static int total;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        LinkedList<Future<?>> tasks = new LinkedList<>();
        for (int i = 0; i < 3; i++) {
            tasks.add(pool.submit(() -> {
                synchronized (FutureListShrinks.class) {
                    total++; //~ RACE: the task that was polled is not waited for
                }
            }));
        }
        tasks.pollFirst();
        for (Future<?> task : tasks) {
            task.get();
        }
        System.out.println(total); //~ RACE: one task may still run
        pool.shutdown();
    }
}
