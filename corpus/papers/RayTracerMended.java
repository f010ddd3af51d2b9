// The ray tracer with one lock for the checksum and a real barrier.
package papers;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class RayTracerMended {
    static final Object CHECKSUM_LOCK = new Object();
    static long checksum;

    static class Tracer extends Thread {
        private final int id;
        private final CyclicBarrier barrier;
        private final int[] rows;
        private long own;
        private boolean agrees;

        Tracer(int id, CyclicBarrier barrier, int rows) {
            this.id = id;
            this.barrier = barrier;
            this.rows = new int[rows];
        }

        @Override
        public void run() {
            for (int y = 0; y < rows.length; y++) {
                rows[y] = (id * 31 + y * 17) % 256; //~ NORACE: the tracer's own rows
                own += rows[y]; //~ NORACE: the tracer's own sum
            }
            synchronized (CHECKSUM_LOCK) {
                checksum += own; //~ NORACE: guarded by CHECKSUM_LOCK
            }
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            agrees = checksum >= own; //~ NORACE: after the barrier
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Tracer[] tracers = {new Tracer(0, barrier, 16), new Tracer(1, barrier, 16)};
        for (Tracer tracer : tracers) {
            tracer.start();
        }
        for (Tracer tracer : tracers) {
            tracer.join();
        }
        System.out.println(checksum + " " + tracers[0].agrees); //~ NORACE: after the joins
    }
}
