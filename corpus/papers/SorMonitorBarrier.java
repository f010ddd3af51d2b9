// A barrier made by hand from a monitor, a count and a generation, separating a phase of writing from one of reading.
package papers;

public class SorMonitorBarrier {
    static class Barrier {
        private final int parties;
        private int waiting;
        private int generation;

        Barrier(int parties) {
            this.parties = parties;
        }

        synchronized void meet() throws InterruptedException {
            int mine = generation; //~ NORACE: guarded by the barrier
            if (++waiting == parties) { //~ NORACE: guarded by the barrier
                waiting = 0; //~ NORACE: guarded by the barrier
                generation++; //~ NORACE: guarded by the barrier
                notifyAll();
                return;
            }
            while (mine == generation) { //~ NORACE: guarded by the barrier
                wait();
            }
        }
    }

    static class Worker extends Thread {
        private final double[] cells;
        private final int id;
        private final Barrier barrier;
        private double seen;

        Worker(double[] cells, int id, Barrier barrier) {
            this.cells = cells;
            this.id = id;
            this.barrier = barrier;
        }

        @Override
        public void run() {
            try {
                cells[id] = id + 1; //~ RACE spurious: own cell, before the barrier; a barrier built from a monitor is
                barrier.meet();
                seen = cells[1 - id]; //~ RACE spurious: the other's cell, after the barrier; a barrier built from a
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        double[] cells = new double[2];
        Barrier barrier = new Barrier(2);
        Worker a = new Worker(cells, 0, barrier);
        Worker b = new Worker(cells, 1, barrier);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(a.seen + b.seen); //~ NORACE: after the joins
    }
}
