// One thread reads the other's half before it comes to the barrier.
package order;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierForgotten {
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
            left = right + 1; //~ RACE: reads the other half too early
            meet();
        });
        Thread b = new Thread(() -> {
            right = 2; //~ RACE
            meet();
            System.out.print(left >= 0); //~ NORACE: left was written before the barrier
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
