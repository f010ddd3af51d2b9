// The factory wraps code of its own around the work of a pool: a pool has terminated before that has ended.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class FactoryWrapsWorker {
    private static boolean over;
    private static String name;

    public static void main(String[] args) throws InterruptedException {
        name = "worker"; //~ NORACE: before the pool has a thread
        ExecutorService pool = Executors.newFixedThreadPool(1, work -> new Thread(() -> {
            Thread.currentThread().setName(name); //~ NORACE
            work.run();
            over = true; //~ RACE
        }));
        pool.execute(() -> System.out.println("work"));
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println("waiting");
        }
        System.out.println(over); //~ RACE: the thread's last act is not the pool's
    }
}
