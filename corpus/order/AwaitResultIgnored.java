// awaitTermination can time out, and here nobody looks at its answer: after one millisecond main reads anyway.
package order;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class AwaitResultIgnored {
    private static int checked;

    public static void main(String[] args) throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 10; i++) {
            worker.execute(() -> {
                checked++; //~ RACE
            });
        }
        worker.shutdown();
        worker.awaitTermination(1, TimeUnit.MILLISECONDS);
        System.out.println(checked <= 10); //~ RACE
    }
}
