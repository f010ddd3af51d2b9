// Nobody shuts the pool down, so that awaitTermination only lets a second pass.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class AwaitWithoutShutdown {
    private static int rows;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, task -> {
            Thread worker = new Thread(task);
            worker.setDaemon(true);
            return worker;
        });
        pool.execute(() -> {
            rows++; //~ RACE
        });
        pool.awaitTermination(1, TimeUnit.SECONDS);
        System.out.println(rows >= 0); //~ RACE: the pool goes on
    }
}
