// Threads wait at a gate while main finishes the setup: opening the gate publishes everything before it.
package order;

import java.util.concurrent.CountDownLatch;

public class StartGate {
    private static int laps;

    public static void main(String[] args) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Thread[] runners = new Thread[2];
        for (int i = 0; i < runners.length; i++) {
            runners[i] = new Thread(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    return;
                }
                if (laps != 12) { //~ NORACE: after the gate
                    System.out.println("wrong");
                }
            });
            runners[i].start();
        }
        laps = 12; //~ NORACE: before the gate opens
        gate.countDown();
        for (Thread runner : runners) {
            runner.join();
        }
        System.out.println(laps);
    }
}
