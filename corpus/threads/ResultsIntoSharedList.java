// The tasks put their results into one plain list, which is no place for results.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ResultsIntoSharedList {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Integer> found = new ArrayList<>();
        List<Future<?>> futures = new ArrayList<>();
        for (int n = 1; n <= 10; n++) {
            final int number = n;
            futures.add(pool.submit(() -> {
                found.add(number * number); //~ RACE
            }));
        }
        for (Future<?> future : futures) {
            future.get();
        }
        pool.shutdown();
        System.out.println(found.size()); //~ NORACE: all tasks are done
    }
}
