// A job is registered in a shared synchronized list and then changed, while a monitor walks the list.
package escape;

import java.util.Collections;
import java.util.List;
import java.util.ArrayList;

public class RegistryKeepsReference {
    static class Job {
        String state = "new";
    }

    private static final List<Job> JOBS = Collections.synchronizedList(new ArrayList<>());

    static void run(Job job) {
        JOBS.add(job); //~ NORACE: the wrapper locks
        job.state = "running"; //~ RACE
    }

    static int count() {
        int running = 0;
        synchronized (JOBS) {
            for (Job job : JOBS) { //~ NORACE: under the wrapper's lock
                if (job.state.equals("running")) { //~ RACE
                    running++;
                }
            }
        }
        return running;
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> run(new Job()));
        worker.start();
        System.out.println(count() <= 1);
        worker.join();
    }
}
