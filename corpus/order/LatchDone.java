// Workers count a latch down after writing; main awaits it before reading.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchDone {
    private static int north;
    private static int south;

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        new Thread(() -> {
            north = 3; //~ NORACE: before countDown
            done.countDown();
        }).start();
        new Thread(() -> {
            south = 4; //~ NORACE: before countDown
            done.countDown();
        }).start();
        done.await();
        System.out.println(north + south); //~ NORACE: after await
    }
}
