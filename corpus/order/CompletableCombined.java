// Two stages run at the same time, each on its own; a third combines what they return.
package order;

import java.util.concurrent.CompletableFuture;

public class CompletableCombined {
    static class Quote {
        int price;
    }

    static Quote ask(int price) {
        Quote quote = new Quote();
        quote.price = price; //~ NORACE: the stage's own
        return quote;
    }

    public static void main(String[] args) {
        CompletableFuture<Quote> north = CompletableFuture.supplyAsync(() -> ask(10));
        CompletableFuture<Quote> south = CompletableFuture.supplyAsync(() -> ask(12));
        int best = north.thenCombine(south, (a, b) -> Math.min(a.price, b.price)).join(); //~ NORACE: after both stages
        System.out.println(best);
    }
}
