// A barrier for one party lets everybody pass at once.
package order;

import java.util.concurrent.CyclicBarrier;

public class BarrierOfOne {
    private static int rows;

    public static void main(String[] args) throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(1);
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            try {
                meeting.await();
            } catch (Exception broken) {
                throw new IllegalStateException(broken);
            }
        }).start();
        meeting.await();
        System.out.println(rows); //~ RACE: one party is enough
    }
}
