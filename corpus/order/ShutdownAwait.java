// shutdown and a successful awaitTermination order every task before what follows.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class ShutdownAwait {
    private int checked;

    synchronized void check() {
        checked++; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        ShutdownAwait audit = new ShutdownAwait();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 10; i++) {
            pool.execute(audit::check);
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println("still busy");
        }
        System.out.println(audit.checked); //~ NORACE: the pool has terminated
    }
}
