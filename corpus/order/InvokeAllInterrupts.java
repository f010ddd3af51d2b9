// invokeAll with a limit of time interrupts the tasks that have not ended.
package order;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class InvokeAllInterrupts {
    private static int data;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(1);
        List<Callable<Integer>> tasks = List.of(() -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                return data; //~ RACE: nobody has counted down
            }
            return 2;
        });
        pool.invokeAll(tasks, 1, TimeUnit.MILLISECONDS);
        data = 1; //~ RACE
        done.countDown();
        pool.shutdown();
    }
}
