// After the barrier all workers go on at the same time, and main does not wait for them: the barrier orders neither.
package order;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierActionLate {
    private static int total;

    static class Worker extends Thread {
        int part;
        CyclicBarrier barrier;

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    barrier.await();
                    total = total + part; //~ RACE
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Worker a = new Worker();
        Worker b = new Worker();
        CyclicBarrier barrier = new CyclicBarrier(2, () -> {
            System.out.println("all here");
        });
        a.barrier = barrier;
        b.barrier = barrier;
        a.start();
        b.start();
        System.out.println(total); //~ RACE
    }
}
