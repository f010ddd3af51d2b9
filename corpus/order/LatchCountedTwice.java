// A latch for two workers, of which one counts down twice.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchCountedTwice {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2);
        new Thread(() -> {
            done.countDown();
            done.countDown();
        }).start();
        new Thread(() -> {
            rows = 3; //~ RACE: the other worker has counted for this one
            done.countDown();
        }).start();
        done.await();
        System.out.println(rows); //~ RACE: this worker may still run
    }
}
