// A task of a pool joins a worker; shutdownNow interrupts the task, which then reads what the worker still writes.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class JoinInterruptedByShutdown {
    private static int rows;

    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> {
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
        pool.shutdownNow();
    }
}
