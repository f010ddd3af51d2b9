// Each task returns its own list, and the one who asked joins them.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ResultsFromFutures {
    static List<Integer> divisors(int n) {
        List<Integer> found = new ArrayList<>();
        for (int d = 1; d <= n; d++) {
            if (n % d == 0) {
                found.add(d); //~ NORACE: the task's own list
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<List<Integer>>> futures = new ArrayList<>();
        for (int n = 1; n <= 10; n++) {
            final int number = n;
            futures.add(pool.submit(() -> divisors(number)));
        }
        int count = 0;
        for (Future<List<Integer>> future : futures) {
            count += future.get().size(); //~ NORACE: the task is done
        }
        pool.shutdown();
        System.out.println(count);
    }
}
