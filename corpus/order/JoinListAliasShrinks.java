// The list of workers is shortened through another field that holds it.
package order;

import java.util.ArrayList;
import java.util.List;

public class JoinListAliasShrinks {
    private static int total;
    private static List<Thread> listed;

    static void forgetFirst() {
        listed.remove(0);
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        listed = workers;
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListAliasShrinks.class) {
                    total++; //~ RACE: the worker that was removed is not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        forgetFirst();
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: one worker may still run
    }
}
