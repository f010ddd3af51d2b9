import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Arrays and lists of threads and futures, all waited for or not. */
public class JoinLoops {
    static int safeArray, safeTwoLoops, racyAllButOne, racyOverwritten;

    static class Arrays {
        public static void main(String[] args) throws Exception {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> System.out.println(safeArray));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            safeArray++;
            Thread[] later = new Thread[args.length];
            for (int i = 0; i < later.length; i++) {
                later[i] = new Thread(() -> System.out.println(safeTwoLoops));
            }
            for (int i = 0; i < later.length; i++) {
                later[i].start();
            }
            for (int i = 0; i < later.length; i++) {
                later[i].join();
            }
            safeTwoLoops++;
        }
    }

    static class Broken {
        public static void main(String[] args) throws Exception {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> System.out.println(racyAllButOne));
                threads[i].start();
            }
            for (int i = 1; i < threads.length; i++) {
                threads[i].join();
            }
            racyAllButOne++;
            Thread[] last = new Thread[1];
            for (int i = 0; i < 3; i++) {
                last[0] = new Thread(() -> System.out.println(racyOverwritten));
                last[0].start();
            }
            for (Thread thread : last) {
                thread.join();
            }
            racyOverwritten++;
        }
    }

    static int safeList, safeFutures, racyCleared, racyLeft;

    static class Lists {
        public static void main(String[] args) throws Exception {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> System.out.println(safeList));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            safeList++;
            ExecutorService pool = Executors.newFixedThreadPool(2);
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                futures.add(pool.submit(() -> System.out.println(safeFutures)));
            }
            for (Future<?> future : futures) {
                future.get();
            }
            safeFutures++;
        }
    }

    static class BrokenLists {
        public static void main(String[] args) throws Exception {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> System.out.println(racyCleared));
                thread.start();
                threads.add(thread);
            }
            threads.remove(0);
            for (Thread thread : threads) {
                thread.join();
            }
            racyCleared++;
            List<Thread> others = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> System.out.println(racyLeft));
                thread.start();
                others.add(thread);
            }
            for (Thread thread : others) {
                if (args.length > 3) {
                    break;
                }
                thread.join();
            }
            racyLeft++;
        }
    }

    static int safeAllOf, racyAnyOf, safeChain;

    static class Stages {
        public static void main(String[] args) {
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> safeAllOf = 1);
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> System.out.println("second"));
            CompletableFuture.allOf(first, second).join();
            safeAllOf++;
            CompletableFuture<Void> third = CompletableFuture.runAsync(() -> racyAnyOf = 1);
            CompletableFuture<Void> fourth = CompletableFuture.runAsync(() -> System.out.println("fourth"));
            CompletableFuture.anyOf(third, fourth).join();
            racyAnyOf++;
            CompletableFuture<Void> chain =
                CompletableFuture.runAsync(() -> safeChain = 1).thenRunAsync(() -> safeChain = 2);
            chain.join();
            safeChain++;
        }
    }
}
