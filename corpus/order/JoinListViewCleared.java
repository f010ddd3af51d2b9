// A view of the list is cleared, and with it a part of the list, before the loop that joins all.
package order;

import java.util.ArrayList;
import java.util.List;

public class JoinListViewCleared {
    private static int total;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListViewCleared.class) {
                    total++; //~ RACE: the worker that was removed is not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        workers.subList(0, 1).clear();
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: one worker may still run
    }
}
