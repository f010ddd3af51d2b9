// Workers count down before they have filled their slots.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchBeforeWork {
    public static void main(String[] args) throws Exception {
        int workers = 4;
        CountDownLatch done = new CountDownLatch(workers);
        int[] results = new int[workers];
        for (int i = 0; i < workers; i++) {
            final int slot = i;
            new Thread(() -> {
                done.countDown();
                results[slot] = slot * slot; //~ RACE
            }).start();
        }
        done.await();
        int sum = 0;
        for (int result : results) { //~ RACE
            sum += result;
        }
        System.out.println(sum >= 0);
    }
}
