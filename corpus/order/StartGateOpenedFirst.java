// The gate is opened before the setup is finished: the runners may read in between.
package order;

import java.util.concurrent.CountDownLatch;

public class StartGateOpenedFirst {
    private static int laps;

    public static void main(String[] args) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Thread runner = new Thread(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                return;
            }
            if (laps < 0) { //~ RACE
                System.out.println("wrong");
            }
        });
        runner.start();
        gate.countDown();
        laps = 12; //~ RACE
        runner.join();
    }
}
