// A library method overwrites the elements of the list before the loop that joins all.
package order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class JoinListFilledOver {
    private static int total;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListFilledOver.class) {
                    total++; //~ RACE: two workers are not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        Collections.fill(workers, workers.get(0));
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: two workers may still run
    }
}
