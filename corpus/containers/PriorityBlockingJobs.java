// The deadlines in a PriorityBlockingQueue, and a shared Random, which is thread-safe as well.
package containers;

import java.util.Random;
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityBlockingJobs {
    private final PriorityBlockingQueue<Integer> deadlines = new PriorityBlockingQueue<>();
    private final Random random = new Random(7);

    void submit() {
        deadlines.add(random.nextInt(10)); //~ NORACE: both are thread-safe
    }

    public static void main(String[] args) throws Exception {
        PriorityBlockingJobs jobs = new PriorityBlockingJobs();
        Thread other = new Thread(jobs::submit);
        other.start();
        jobs.submit();
        other.join();
        System.out.println(jobs.deadlines.size()); //~ NORACE: a concurrent queue
    }
}
