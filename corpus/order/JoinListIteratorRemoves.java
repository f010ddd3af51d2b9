// An iterator takes a thread out of the list before the loop that joins all.
package order;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class JoinListIteratorRemoves {
    private static int total;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListIteratorRemoves.class) {
                    total++; //~ RACE: the worker that was removed is not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        Iterator<Thread> first = workers.iterator();
        first.next();
        first.remove();
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: one worker may still run
    }
}
