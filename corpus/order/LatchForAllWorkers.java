// Workers fill their slots and count down; main reads the slots when all have.
package order;

import java.util.concurrent.CountDownLatch;

public class LatchForAllWorkers {
    public static void main(String[] args) throws Exception {
        int workers = 4;
        CountDownLatch done = new CountDownLatch(workers);
        int[] results = new int[workers];
        for (int i = 0; i < workers; i++) {
            final int slot = i;
            new Thread(() -> {
                results[slot] = slot * slot; //~ NORACE: own slot, before the latch
                done.countDown();
            }).start();
        }
        done.await();
        int sum = 0;
        for (int result : results) { //~ NORACE: all have counted down
            sum += result;
        }
        System.out.println(sum);
    }
}
