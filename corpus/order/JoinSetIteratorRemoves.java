// An iterator takes a thread out of the set before the loop that waits for all that are in it.
package order;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

public class JoinSetIteratorRemoves {
    private static int rows;

    public static void main(String[] args) throws Exception {
        Set<Thread> workers = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(() -> {
                rows++; //~ RACE
            });
            workers.add(worker);
            worker.start();
        }
        Iterator<Thread> some = workers.iterator();
        some.next();
        some.remove();
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(rows >= 0); //~ RACE: one thread is not waited for
    }
}
