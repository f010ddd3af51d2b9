// A barrier that somebody resets, again and again until nobody is left: await throws, and what is caught
// has waited for nobody.
package order;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierBroken {
    private static int rows;

    public static void main(String[] args) throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(2);
        Thread writer = new Thread(() -> {
            rows = 3; //~ RACE
            try {
                meeting.await();
            } catch (Exception broken) {
                throw new IllegalStateException(broken);
            }
        });
        writer.start();
        Thread reader = Thread.currentThread();
        new Thread(() -> {
            while (writer.isAlive() || reader.isAlive()) {
                meeting.reset();
            }
        }).start();
        try {
            meeting.await();
        } catch (BrokenBarrierException broken) {
            System.out.println("broken");
        }
        System.out.println(rows); //~ RACE
    }
}
