// The queue that carries the signal already holds an element: take returns before the worker has put its own.
package order;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class QueuePrefilled {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new ArrayBlockingQueue<>(4);
        done.put("begin");
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ RACE: took what main had put
    }
}
