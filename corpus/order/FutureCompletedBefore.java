// The future was complete before the task was passed that is to complete it.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureCompletedBefore {
    private static int data;

    public static void main(String[] args) {
        CompletableFuture<String> future = CompletableFuture.completedFuture("early");
        future.completeAsync(() -> {
            data = 1; //~ RACE
            return "late";
        });
        System.out.println(future.join());
        System.out.println(data); //~ RACE: nobody has waited for the task
    }
}
