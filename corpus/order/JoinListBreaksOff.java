// The joining loop stops after the first thread: the others may still be running when the total is read.
package order;

import java.util.ArrayList;
import java.util.List;

public class JoinListBreaksOff {
    private static final Object LOCK = new Object();
    private static int served;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread waiter = new Thread(() -> {
                synchronized (LOCK) {
                    served++; //~ RACE
                }
            });
            waiters.add(waiter);
            waiter.start();
        }
        for (Thread waiter : waiters) {
            waiter.join();
            break;
        }
        System.out.println(served > 0); //~ RACE
    }
}
