// A ray tracer: each thread adds to the common checksum under a lock of its own object, and they meet at a barrier that
// spins on plain array elements.
package papers;

public class RayTracerShape {
    static long checksum;

    /** A barrier of the kind that old benchmarks have; the spin is bounded, since nothing makes it end. */
    static class SpinBarrier {
        private final boolean[] arrived;

        SpinBarrier(int parties) {
            arrived = new boolean[parties];
        }

        void meet(int id) {
            arrived[id] = true; //~ RACE: plain elements
            for (int other = 0; other < arrived.length; other++) {
                for (int spins = 0; spins < 1000 && !arrived[other]; spins++) { //~ RACE: plain elements
                    Thread.yield();
                }
            }
        }
    }

    static class Tracer extends Thread {
        private final int id;
        private final SpinBarrier barrier;
        private final int[] rows;
        private long own;

        Tracer(int id, SpinBarrier barrier, int rows) {
            this.id = id;
            this.barrier = barrier;
            this.rows = new int[rows];
        }

        @Override
        public void run() {
            for (int y = 0; y < rows.length; y++) {
                rows[y] = shade(y); //~ NORACE: the tracer's own rows
                own += rows[y]; //~ NORACE: the tracer's own sum
            }
            synchronized (this) {
                checksum += own; //~ RACE: each tracer locks itself
            }
            barrier.meet(id);
        }

        private int shade(int y) {
            return (id * 31 + y * 17) % 256;
        }
    }

    public static void main(String[] args) throws Exception {
        SpinBarrier barrier = new SpinBarrier(2);
        Tracer[] tracers = {new Tracer(0, barrier, 16), new Tracer(1, barrier, 16)};
        for (Tracer tracer : tracers) {
            tracer.start();
        }
        for (Tracer tracer : tracers) {
            tracer.join();
        }
        System.out.println(checksum > 0); //~ NORACE: after the joins
    }
}
