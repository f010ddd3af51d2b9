// Two stages depend on the same one and both change what it returned; neither waits for the other.
package order;

import java.util.concurrent.CompletableFuture;

public class FutureChainTwoUsers {
    static class Page {
        String text = "";
        int words;
    }

    public static void main(String[] args) {
        CompletableFuture<Page> fetched = CompletableFuture.supplyAsync(Page::new);
        CompletableFuture<Void> counted = fetched.thenAcceptAsync(page -> page.words = page.text.length()); //~ RACE
        CompletableFuture<Void> marked = fetched.thenAcceptAsync(page -> page.text = page.text + "!"); //~ RACE
        CompletableFuture.allOf(counted, marked).join();
        System.out.println(fetched.join().words >= 0); //~ NORACE: after both
    }
}
