// invokeAny interrupts the tasks that have not ended: a wait ends before what it waits for has happened.
package order;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAnyInterrupts {
    private static int data;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(1);
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                return data; //~ RACE: nobody has counted down
            }
            return 2;
        });
        pool.invokeAny(tasks);
        data = 1; //~ RACE
        done.countDown();
        pool.shutdown();
    }
}
