// As QueuePrefilled, by draining another queue into it.
package order;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueuePrefilledByDrain {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        BlockingQueue<String> before = new LinkedBlockingQueue<>();
        before.add("begin");
        before.drainTo(done);
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done.add("end");
        }).start();
        done.take();
        System.out.println(rows); //~ RACE: took what was drained
    }
}
