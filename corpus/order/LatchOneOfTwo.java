// The latch is made with one count for two workers: it opens when the faster one is done.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchOneOfTwo {
    private static int north;
    private static int south;

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        new Thread(() -> {
            north = 3; //~ RACE
            done.countDown();
        }).start();
        new Thread(() -> {
            south = 4; //~ RACE
            done.countDown();
        }).start();
        done.await();
        System.out.println(north + south >= 0); //~ RACE
    }
}
