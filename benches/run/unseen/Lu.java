import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Solves systems of linear equations by LU factorisation with partial pivoting; rows are dealt out to the threads. */
public class Lu {
    private final double[][] matrix;
    private final int[] order;
    private final int threads;
    private final CyclicBarrier barrier;
    private int swaps;

    Lu(double[][] matrix, int threads) {
        this.matrix = matrix;
        this.threads = threads;
        order = new int[matrix.length];
        for (int i = 0; i < order.length; i++) order[i] = i;
        barrier = new CyclicBarrier(threads);
    }

    private void pivot(int column) {
        int best = column;
        for (int row = column + 1; row < matrix.length; row++) {
            if (Math.abs(matrix[row][column]) > Math.abs(matrix[best][column])) best = row;
        }
        if (matrix[best][column] == 0) throw new ArithmeticException("singular");
        if (best == column) return;
        double[] row = matrix[best];
        matrix[best] = matrix[column];
        matrix[column] = row;
        int at = order[best];
        order[best] = order[column];
        order[column] = at;
        swaps++;
    }

    private void eliminate(int column, int worker) {
        double[] top = matrix[column];
        int n = matrix.length;
        for (int i = column + 1; i < n; i++) {
            if (i % threads != worker) continue;
            double[] row = matrix[i];
            double factor = row[column] / top[column];
            row[column] = factor;
            for (int j = column + 1; j < n; j++) row[j] -= factor * top[j];
        }
    }

    private void work(int worker) {
        try {
            for (int column = 0; column < matrix.length; column++) {
                if (worker == 0) pivot(column);
                barrier.await();
                eliminate(column, worker);
                barrier.await();
            }
        } catch (InterruptedException | BrokenBarrierException failure) {
            throw new IllegalStateException(failure);
        }
    }

    void factorise() throws InterruptedException {
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int worker = t;
            workers[t] = new Thread(() -> work(worker));
            workers[t].start();
        }
        for (Thread worker : workers) worker.join();
    }

    double[] solve(double[] right) {
        int n = matrix.length;
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            double sum = right[order[i]];
            for (int j = 0; j < i; j++) sum -= matrix[i][j] * x[j];
            x[i] = sum;
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = x[i];
            for (int j = i + 1; j < n; j++) sum -= matrix[i][j] * x[j];
            x[i] = sum / matrix[i][i];
        }
        return x;
    }

    double determinantSign() {
        double sign = swaps % 2 == 0 ? 1 : -1;
        for (int i = 0; i < matrix.length; i++) sign *= Math.signum(matrix[i][i]);
        return sign;
    }

    static double[][] random(int n, long seed) {
        double[][] made = new double[n][n];
        for (double[] row : made) {
            for (int j = 0; j < n; j++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                row[j] = (seed >>> 33) / (double) (1L << 31) - 0.5;
            }
        }
        return made;
    }

    public static void main(String[] args) throws Exception {
        int systems = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int n = 480;
        for (int system = 0; system < systems; system++) {
            double[][] original = random(n, 17 + system);
            double[][] copy = new double[n][];
            for (int i = 0; i < n; i++) copy[i] = original[i].clone();
            double[] right = new double[n];
            for (int i = 0; i < n; i++) right[i] = i % 7 - 3;
            Lu lu = new Lu(copy, 2);
            lu.factorise();
            double[] x = lu.solve(right);
            double worst = 0;
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++) sum += original[i][j] * x[j];
                worst = Math.max(worst, Math.abs(sum - right[i]));
            }
            System.out.printf("%d %.6f %.0f %b%n", system, x[n / 2], lu.determinantSign(), worst < 1e-6);
        }
    }
}
