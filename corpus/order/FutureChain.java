// A chain of stages on a pool: each works on what the one before returned; the end is joined.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureChain {
    static class Page {
        String text;
        int words;
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<CompletableFuture<Page>> pages = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "page " + i;
            pages.add(CompletableFuture.supplyAsync(() -> fetch(name), pool)
                .thenApplyAsync(FutureChain::count, pool)
                .exceptionally(failure -> new Page()));
        }
        int total = 0;
        for (CompletableFuture<Page> page : pages) {
            total += page.join().words; //~ RACE spurious: the stage is done
        }
        System.out.println(total);
        pool.shutdown();
    }

    private static Page fetch(String name) {
        Page page = new Page();
        page.text = name; //~ NORACE: the next stage comes after
        return page;
    }

    private static Page count(Page page) {
        page.words = page.text.split(" ").length; //~ RACE spurious: after the stage that fetched, before the join
        return page;
    }
}
