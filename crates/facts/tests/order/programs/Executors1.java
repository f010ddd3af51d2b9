import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Tasks of an executor: their futures, the end of the executor. */
public class Executors1 {
    static int safeFuture, racyBeside, racyTwo, likelyTerminated, safeTerminated, racyNotTerminated;

    static class A {
        public static void main(String[] args) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(4);
            safeFuture = 1;
            Future<?> done = pool.submit(() -> safeFuture++);
            done.get();
            safeFuture++;
            pool.submit(() -> racyTwo++);
            pool.submit(() -> racyTwo++);
            pool.submit(() -> racyBeside++);
            racyBeside++;
            pool.submit(() -> likelyTerminated++);
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
            likelyTerminated++;
        }
    }

    static class B {
        public static void main(String[] args) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(4);
            pool.execute(() -> safeTerminated++);
            pool.execute(() -> racyNotTerminated++);
            pool.shutdown();
            if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
                safeTerminated++;
            } else {
                racyNotTerminated++;
            }
        }
    }

    static int safeByLoop;

    static class C {
        public static void main(String[] args) throws Exception {
            ExecutorService pool = Executors.newCachedThreadPool();
            pool.execute(() -> safeByLoop++);
            pool.shutdown();
            while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
                System.out.println("waiting");
            }
            safeByLoop++;
        }
    }
}
