// A loop that joins what an iterator still has, after one element was taken from it: that thread is not joined.
package order;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class JoinListUsedIterator {
    private static int total;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListUsedIterator.class) {
                    total++; //~ RACE: the first worker is not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        Iterator<Thread> rest = workers.iterator();
        System.out.println(rest.next().getName());
        while (rest.hasNext()) {
            rest.next().join();
        }
        System.out.println(total); //~ RACE: one worker may still run
    }
}
