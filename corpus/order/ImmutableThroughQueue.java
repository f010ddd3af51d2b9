// Value objects that a producer makes and fills, then puts into a queue; two consumers take them out and change them
// further.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class ImmutableThroughQueue {
    static final class Job {
        private final String name;
        private final List<String> steps = new ArrayList<>();
        private int attempts;

        Job(String name) {
            this.name = name;
        }
    }

    private static final Job LAST = new Job("last");

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Job> queue = new LinkedBlockingQueue<>();
        AtomicInteger done = new AtomicInteger();
        Runnable consumer = () -> {
            try {
                for (Job job = queue.take(); job != LAST; job = queue.take()) {
                    job.attempts++; //~ NORACE: each job goes to one consumer
                    job.steps.add("done"); //~ NORACE: each job goes to one consumer
                    done.addAndGet(job.steps.size()); //~ NORACE: each job goes to one consumer
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
            Job job = new Job("job " + i);
            job.steps.add("made"); //~ NORACE: before it is put
            queue.put(job);
        }
        queue.put(LAST);
        queue.put(LAST);
        first.join();
        second.join();
        System.out.println(done.get());
    }
}
