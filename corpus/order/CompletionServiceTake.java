// An ExecutorCompletionService: take().get() gives finished tasks only, ordered after all that they did.
package order;

import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class CompletionServiceTake {
    static class Page {
        String body;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ExecutorCompletionService<Page> fetches = new ExecutorCompletionService<>(pool);
        for (int i = 0; i < 3; i++) {
            fetches.submit(() -> {
                Page page = new Page();
                page.body = "text"; //~ NORACE: the task's own page until it is returned
                return page;
            });
        }
        int length = 0;
        for (int i = 0; i < 3; i++) {
            length += fetches.take().get().body.length(); //~ NORACE: after get
        }
        pool.shutdown();
        System.out.println(length);
    }
}
