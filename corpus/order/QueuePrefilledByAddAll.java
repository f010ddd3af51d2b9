// As QueuePrefilled, by a library method that puts in the elements of a list.
package order;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueuePrefilledByAddAll {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        done.addAll(List.of("begin"));
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ RACE: took what addAll had put in
    }
}
