// A future completed by hand: complete after writing, join before reading.
package order;

import java.util.concurrent.CompletableFuture;

public class PromiseCompleted {
    private static int[] pixels;

    public static void main(String[] args) throws Exception {
        CompletableFuture<String> drawn = new CompletableFuture<>();
        Thread painter = new Thread(() -> {
            pixels = new int[16]; //~ NORACE: before complete
            pixels[3] = 255; //~ NORACE: before complete
            drawn.complete("done");
        });
        painter.start();
        System.out.println(drawn.join() + pixels[3]); //~ NORACE: after join
        painter.join();
    }
}
