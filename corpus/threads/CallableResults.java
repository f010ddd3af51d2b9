// Callables that return their values: the futures carry them, and no state is shared.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class CallableResults {
    static class Square implements Callable<Integer> {
        private final int n;
        private int steps;

        Square(int n) {
            this.n = n;
        }

        @Override
        public Integer call() {
            for (int i = 0; i < n; i++) {
                steps += n; //~ NORACE: one callable, one run
            }
            return steps; //~ NORACE: one callable, one run
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            futures.add(pool.submit(new Square(i))); //~ NORACE: the list is main's
        }
        int sum = 0;
        for (Future<Integer> future : futures) {
            sum += future.get();
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
