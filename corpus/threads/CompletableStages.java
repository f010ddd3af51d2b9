// supplyAsync and a second async task both write the same order object: the stages are not chained to each other.
package threads;

import java.util.concurrent.CompletableFuture;

public class CompletableStages {
    static class Order {
        double price;
        String state = "new";
    }

    public static void main(String[] args) {
        Order order = new Order();
        CompletableFuture<Void> priced = CompletableFuture.runAsync(() -> {
            order.price = 9.5; //~ NORACE: the only writer until both are joined
            order.state = "priced"; //~ RACE
        });
        CompletableFuture<Void> checked = CompletableFuture.runAsync(() -> {
            order.state = "checked"; //~ RACE
        });
        CompletableFuture.allOf(priced, checked).join();
        System.out.println(order.price); //~ NORACE: after allOf is joined
    }
}
