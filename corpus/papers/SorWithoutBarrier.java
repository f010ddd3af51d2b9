// The over-relaxation without the barrier between the colours: rows at the border of the blocks are read while their
// owner writes them.
package papers;

public class SorWithoutBarrier {
    static final int N = 9;

    static class Worker extends Thread {
        private final double[][] grid;
        private final int from;
        private final int to;

        Worker(double[][] grid, int from, int to) {
            this.grid = grid;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            for (int round = 0; round < 3; round++) {
                for (int i = from; i < to; i++) {
                    relax(i);
                }
            }
        }

        private void relax(int i) {
            for (int j = 1; j < N - 1; j++) {
                double above = grid[i - 1][j]; //~ RACE: the upper block's last row
                double below = grid[i + 1][j]; //~ RACE: the lower block's first row
                grid[i][j] = 0.5 * grid[i][j] + 0.25 * (above + below); //~ RACE
            }
        }
    }

    public static void main(String[] args) throws Exception {
        double[][] grid = new double[N][N];
        Worker upper = new Worker(grid, 1, 5);
        Worker lower = new Worker(grid, 5, N - 1);
        upper.start();
        lower.start();
        upper.join();
        lower.join();
    }
}
