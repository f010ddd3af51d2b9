// A barrier whose number of parties comes from outside may be for one.
package order;

import java.util.concurrent.CyclicBarrier;

public class BarrierOfUnknown {
    private static int rows;

    public static void main(String[] args) throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(args.length + 1);
        new Thread(() -> {
            rows = 3; //~ RACE: without arguments nobody waits for it
            try {
                meeting.await();
            } catch (Exception broken) {
                throw new IllegalStateException(broken);
            }
        }).start();
        meeting.await();
        System.out.println(rows); //~ RACE: without arguments one party is enough
    }
}
