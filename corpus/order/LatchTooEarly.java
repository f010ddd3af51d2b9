// The worker counts down first and writes afterwards: the latch opens before the data is there.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchTooEarly {
    private static int north;

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            done.countDown();
            north = 3; //~ RACE
        });
        worker.start();
        done.await();
        System.out.println(north >= 0); //~ RACE
        worker.join();
    }
}
