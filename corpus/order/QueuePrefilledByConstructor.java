// As QueuePrefilled, by the constructor of the queue.
package order;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueuePrefilledByConstructor {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new LinkedBlockingQueue<>(List.of("begin"));
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ RACE: took what the constructor had put in
    }
}
