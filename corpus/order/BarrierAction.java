// The barrier's action runs when all have arrived and before any goes on: it may combine what they wrote.
package order;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierAction {
    static class Worker extends Thread {
        int part;
        CyclicBarrier barrier;

        @Override
        public void run() {
            part = 5; //~ NORACE: before the barrier
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            if (total != 10) { //~ NORACE: after the action
                System.out.println("wrong");
            }
        }
    }

    private static int total;

    public static void main(String[] args) throws Exception {
        Worker a = new Worker();
        Worker b = new Worker();
        CyclicBarrier barrier = new CyclicBarrier(2, () -> {
            total = a.part + b.part; //~ NORACE: all have arrived, none has left
        });
        a.barrier = barrier;
        b.barrier = barrier;
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(total); //~ NORACE: after the joins; the action ran in one of the workers
    }
}
