// The painter completes the promise and then paints.
package order;

import java.util.concurrent.CompletableFuture;

public class PromiseTooEarly {
    private static final int[] PIXELS = new int[16];

    public static void main(String[] args) throws Exception {
        CompletableFuture<String> drawn = new CompletableFuture<>();
        Thread painter = new Thread(() -> {
            drawn.complete("done");
            PIXELS[3] = 255; //~ RACE
        });
        painter.start();
        drawn.join();
        System.out.println(PIXELS[3] >= 0); //~ RACE
        painter.join();
    }
}
