// The future is thrown away: nothing orders the task's writes before main's read.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureIgnored {
    private int rows;

    public static void main(String[] args) throws Exception {
        FutureIgnored report = new FutureIgnored();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> {
            report.rows = 3; //~ RACE
        });
        System.out.println(report.rows >= 0); //~ RACE
        pool.shutdown();
    }
}
