// The twin of QueuePrefilled: nothing but the worker's element comes out of the queue.
package order;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class QueueEmptyAtFirst {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new ArrayBlockingQueue<>(4);
        new Thread(() -> {
            rows = 3; //~ NORACE: before it is put
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ NORACE: after it was taken
    }
}
