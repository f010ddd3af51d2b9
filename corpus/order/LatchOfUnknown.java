// A latch whose count comes from outside may be zero.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchOfUnknown {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(args.length);
        new Thread(() -> {
            rows = 3; //~ RACE: without arguments nobody waits
            done.countDown();
        }).start();
        done.await();
        System.out.println(rows); //~ RACE: without arguments await returns at once
    }
}
