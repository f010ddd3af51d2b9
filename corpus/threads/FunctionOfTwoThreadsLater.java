// As FunctionOfTwoThreads, but main waits for the stage before it uses the function.
package threads;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

public class FunctionOfTwoThreadsLater {
    private int total;

    public static void main(String[] args) {
        FunctionOfTwoThreadsLater sums = new FunctionOfTwoThreadsLater();
        Consumer<Integer> adding = value -> sums.total += value; //~ NORACE: one after the other
        CompletableFuture.supplyAsync(() -> 1).thenAccept(adding).join();
        List.of(2, 3).forEach(adding);
    }
}
