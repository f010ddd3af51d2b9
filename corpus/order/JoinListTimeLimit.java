// The loop goes on when the time of a wait is over: tasks may still be running when the total is read.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

public class JoinListTimeLimit {
    private static final Object LOCK = new Object();
    private static int served;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<?>> orders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            orders.add(pool.submit(() -> {
                synchronized (LOCK) {
                    served++; //~ RACE
                }
            }));
        }
        for (Future<?> order : orders) {
            try {
                order.get(1, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                System.out.println("late");
            }
        }
        System.out.println(served > 0); //~ RACE
        pool.shutdown();
    }
}
