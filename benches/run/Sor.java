// Successive over-relaxation on a grid: rows are split between threads, which meet at a barrier after each half sweep.
import java.util.concurrent.CyclicBarrier;

public class Sor {
    static double[][] grid;

    public static void main(String[] args) throws Exception {
        int size = 2000;
        int sweeps = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        int threads = 2;
        grid = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                grid[i][j] = (i * 31 + j * 17) % 100 / 100.0;
            }
        }
        CyclicBarrier barrier = new CyclicBarrier(threads);
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int from = 1 + (size - 2) * t / threads;
            int to = 1 + (size - 2) * (t + 1) / threads;
            workers[t] = new Thread(() -> {
                try {
                    for (int sweep = 0; sweep < sweeps; sweep++) {
                        for (int colour = 0; colour < 2; colour++) {
                            relax(from, to, colour);
                            barrier.await();
                        }
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        double sum = 0;
        for (double[] row : grid) {
            for (double value : row) {
                sum += value;
            }
        }
        System.out.printf("%.6f%n", sum);
    }

    static void relax(int from, int to, int colour) {
        double omega = 1.25;
        for (int i = from; i < to; i++) {
            double[] above = grid[i - 1];
            double[] row = grid[i];
            double[] below = grid[i + 1];
            for (int j = 1 + (i + colour) % 2; j < row.length - 1; j += 2) {
                row[j] = omega * 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - omega) * row[j];
            }
        }
    }
}
