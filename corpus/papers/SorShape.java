// Successive over-relaxation in red and black: each thread updates the rows of its block, of one colour at a time, and
// reads the neighbours' rows of the other colour; a barrier separates the colours.
package papers;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class SorShape {
    static final int N = 9;

    static class Worker extends Thread {
        private final double[][] grid;
        private final CyclicBarrier barrier;
        private final int from;
        private final int to;

        Worker(double[][] grid, CyclicBarrier barrier, int from, int to) {
            this.grid = grid;
            this.barrier = barrier;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            try {
                for (int round = 0; round < 3; round++) {
                    for (int colour = 0; colour < 2; colour++) {
                        for (int i = from; i < to; i++) {
                            if (i % 2 == colour) {
                                relax(i);
                            }
                        }
                        barrier.await();
                    }
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }

        private void relax(int i) {
            for (int j = 1; j < N - 1; j++) {
                double above = grid[i - 1][j]; //~ RACE spurious: a row of the other colour; rows that alternate
                double below = grid[i + 1][j]; //~ RACE spurious: a row of the other colour; rows that alternate
                grid[i][j] = 0.5 * grid[i][j] + 0.25 * (above + below); //~ RACE spurious: a row of this block; rows
            }
        }
    }

    public static void main(String[] args) throws Exception {
        double[][] grid = new double[N][N];
        for (int j = 0; j < N; j++) {
            grid[0][j] = 1; //~ NORACE: before the threads start
        }
        CyclicBarrier barrier = new CyclicBarrier(2);
        Worker upper = new Worker(grid, barrier, 1, 5);
        Worker lower = new Worker(grid, barrier, 5, N - 1);
        upper.start();
        lower.start();
        upper.join();
        lower.join();
        System.out.println(grid[1][1] > 0); //~ NORACE: after the joins
    }
}
