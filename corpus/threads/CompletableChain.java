// The same work as one chain: thenRunAsync starts after the first stage, in whatever thread, and is ordered after it.
package threads;

import java.util.concurrent.CompletableFuture;

public class CompletableChain {
    static class Order {
        double price;
        String state = "new";
    }

    public static void main(String[] args) {
        Order order = new Order();
        CompletableFuture<Void> all = CompletableFuture
            .runAsync(() -> {
                order.price = 9.5; //~ NORACE: first stage
                order.state = "priced"; //~ NORACE: first stage
            })
            .thenRunAsync(() -> {
                order.state = "checked"; //~ NORACE: follows the first stage
            });
        all.join();
        System.out.println(order.state + " " + order.price); //~ NORACE: after join
    }
}
