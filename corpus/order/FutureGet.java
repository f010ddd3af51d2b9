// Reading after Future.get: what the task did happens before the return of get.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FutureGet {
    private int[] table;
    private int rows;

    public static void main(String[] args) throws Exception {
        FutureGet report = new FutureGet();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> loading = pool.submit(() -> {
            report.table = new int[] {1, 2, 3}; //~ NORACE: before get returns
            report.rows = 3; //~ NORACE: before get returns
        });
        loading.get();
        System.out.println(report.rows + report.table[0]); //~ NORACE: after get
        pool.shutdown();
    }
}
