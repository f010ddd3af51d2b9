// A PriorityQueue of deadlines: the scheduler polls under a lock, the submitter adds without.
package containers;

import java.util.PriorityQueue;

public class PriorityQueueJobs {
    private final PriorityQueue<Integer> deadlines = new PriorityQueue<>();

    void submit(int deadline) {
        deadlines.add(deadline); //~ RACE
    }

    Integer next() {
        synchronized (this) {
            return deadlines.poll(); //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        PriorityQueueJobs jobs = new PriorityQueueJobs();
        Thread scheduler = new Thread(jobs::next);
        scheduler.start();
        jobs.submit(3);
        jobs.submit(1);
        scheduler.join();
    }
}
