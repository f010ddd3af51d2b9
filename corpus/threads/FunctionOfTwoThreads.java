// One function is the stage of a future and the argument of `forEach`: a pool's thread and main both run it.
package threads;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

public class FunctionOfTwoThreads {
    private int total;

    public static void main(String[] args) {
        FunctionOfTwoThreads sums = new FunctionOfTwoThreads();
        Consumer<Integer> adding = value -> sums.total += value; //~ RACE
        CompletableFuture<Void> later = CompletableFuture.supplyAsync(() -> 1).thenAccept(adding);
        List.of(2, 3).forEach(adding);
        later.join();
    }
}
