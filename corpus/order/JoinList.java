// Threads kept in a list and joined by a for-each loop, then the results are read.
package order;

import java.util.ArrayList;
import java.util.List;

public class JoinList {
    private static final Object LOCK = new Object();
    private static int served;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread waiter = new Thread(() -> {
                synchronized (LOCK) {
                    served++; //~ NORACE: guarded by LOCK
                }
            });
            waiters.add(waiter); //~ NORACE: the list is main's
            waiter.start();
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        System.out.println(served); //~ NORACE: every thread of the list is joined
    }
}
