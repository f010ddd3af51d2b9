// cancel(true) interrupts the task, which waits in a join.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class JoinInterruptedByCancel {
    private static int rows;

    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<?> task = pool.submit(() -> {
            Thread worker = new Thread(() -> {
                rows = 3; //~ RACE: may not have been waited for
            });
            worker.start();
            try {
                worker.join();
            } catch (InterruptedException stop) {
                System.out.println("stopped");
            }
            System.out.println(rows); //~ RACE: the join may have been interrupted
        });
        task.cancel(true);
        pool.shutdown();
    }
}
