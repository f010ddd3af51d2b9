// As ImmutableThroughQueue, but the consumers count before they compare: the object that says that it is over
// goes to both.
package order;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class PoisonTouched {
    static final class Job {
        private int attempts;
        private int done;
    }

    private static final Job LAST = new Job();

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Job> queue = new LinkedBlockingQueue<>();
        Runnable consumer = () -> {
            try {
                while (true) {
                    Job job = queue.take();
                    job.attempts++; //~ RACE
                    if (job == LAST) {
                        return;
                    }
                    job.done++; //~ NORACE: each other job goes to one consumer
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        };
        Thread first = new Thread(consumer);
        Thread second = new Thread(consumer);
        first.start();
        second.start();
        for (int i = 0; i < 10; i++) {
            queue.put(new Job());
        }
        queue.put(LAST);
        queue.put(LAST);
        first.join();
        second.join();
    }
}
