// shutdown only refuses new tasks and returns at once: the tasks may still run when the counter is read.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ShutdownWithoutAwait {
    private int checked;

    synchronized void check() {
        checked++; //~ RACE
    }

    public static void main(String[] args) {
        ShutdownWithoutAwait audit = new ShutdownWithoutAwait();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 10; i++) {
            pool.execute(audit::check);
        }
        pool.shutdown();
        System.out.println(audit.checked <= 10); //~ RACE
    }
}
