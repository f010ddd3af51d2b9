// A latch whose count is zero from the start lets everybody pass.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchOfZero {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(0);
        new Thread(() -> {
            rows = 3; //~ RACE: nobody waits
            done.countDown();
        }).start();
        done.await();
        System.out.println(rows); //~ RACE: await returns at once
    }
}
