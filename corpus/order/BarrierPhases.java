// Two threads fill their halves, meet at a barrier, and then read the other's half.
package order;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierPhases {
    private static int left;
    private static int right;
    private static final CyclicBarrier BARRIER = new CyclicBarrier(2);

    static void meet() {
        try {
            BARRIER.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            left = 1; //~ NORACE: before the barrier
            meet();
            System.out.print(right == 2 ? "ok" : "?"); //~ NORACE: after the barrier
        });
        Thread b = new Thread(() -> {
            right = 2; //~ NORACE: before the barrier
            meet();
            System.out.print(left == 1 ? "ok" : "?"); //~ NORACE: after the barrier
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
