// Main waits for one of two tasks and reads what both wrote.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FuturesAllButLast {
    private int left;
    private int right;

    public static void main(String[] args) throws Exception {
        FuturesAllButLast halves = new FuturesAllButLast();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> first = pool.submit(() -> {
            halves.left = 1; //~ NORACE: waited for
        });
        Future<?> second = pool.submit(() -> {
            halves.right = 2; //~ RACE
        });
        first.get();
        int seen = halves.left; //~ NORACE: after its get
        seen += halves.right; //~ RACE
        second.get();
        pool.shutdown();
        System.out.println(seen > 0);
    }
}
