// Two threads pull from one shared iterator: hasNext and next change the cursor without order.
package containers;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

public class IteratorHandedAround {
    static void drain(Iterator<String> jobs) {
        try {
            while (jobs.hasNext()) { //~ RACE
                String job = jobs.next(); //~ RACE
                if (job.isEmpty()) {
                    return;
                }
            }
        } catch (NoSuchElementException e) {
            // the other thread took the last one
        }
    }

    public static void main(String[] args) throws Exception {
        Iterator<String> jobs = new java.util.ArrayList<>(List.of("a", "b", "c", "d")).iterator();
        Thread one = new Thread(() -> drain(jobs));
        Thread two = new Thread(() -> drain(jobs));
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
