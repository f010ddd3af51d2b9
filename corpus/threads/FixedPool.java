// Tasks on a pool of four threads add to one plain counter; the pool is what makes them parallel.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class FixedPool {
    private int processed;

    public static void main(String[] args) throws Exception {
        FixedPool stats = new FixedPool();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 20; i++) {
            pool.execute(() -> stats.processed++); //~ RACE
        }
        pool.shutdown();
        if (pool.awaitTermination(5, TimeUnit.SECONDS)) {
            System.out.println(stats.processed <= 20); //~ NORACE: the pool has ended
        }
    }
}
