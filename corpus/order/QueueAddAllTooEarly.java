// addAll puts elements into the queue, too: who takes one need not have waited for what comes after addAll.
package order;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;

public class QueueAddAllTooEarly {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new LinkedTransferQueue<>();
        new Thread(() -> {
            done.addAll(List.of("begin"));
            rows = 3; //~ RACE: after the first element
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ RACE: took what addAll had put in
    }
}
