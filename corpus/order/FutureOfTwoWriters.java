// Two threads complete one future: who waits for it goes on with the first of them, while the other may still write.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureOfTwoWriters {
    private static int result;

    public static void main(String[] args) {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        new Thread(() -> {
            result = 1; //~ RACE
            future.complete(1);
        }).start();
        new Thread(() -> future.complete(2)).start();
        future.join();
        System.out.println(result); //~ RACE
    }
}
