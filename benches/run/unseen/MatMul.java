import java.util.concurrent.atomic.AtomicInteger;

/** Powers of a matrix, by blocks that two threads take in turn; flat arrays, a copy of the block in between. */
public class MatMul {
    private static final int BLOCK = 32;

    final int size;
    final double[] cells;

    MatMul(int size) {
        this.size = size;
        cells = new double[size * size];
    }

    double get(int row, int column) {
        return cells[row * size + column];
    }

    void set(int row, int column, double value) {
        cells[row * size + column] = value;
    }

    static MatMul stochastic(int size) {
        MatMul made = new MatMul(size);
        long seed = 5;
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++) {
                seed ^= seed << 13;
                seed ^= seed >>> 7;
                seed ^= seed << 17;
                made.set(i, j, (seed & 1023) + 1);
                sum += made.get(i, j);
            }
            for (int j = 0; j < size; j++) made.set(i, j, made.get(i, j) / sum);
        }
        return made;
    }

    private static void block(MatMul a, MatMul b, MatMul into, int row, int column) {
        int n = a.size;
        double[] sums = new double[BLOCK * BLOCK];
        double[] tile = new double[BLOCK * BLOCK];
        for (int middle = 0; middle < n; middle += BLOCK) {
            for (int k = 0; k < BLOCK; k++) {
                System.arraycopy(b.cells, (middle + k) * n + column, tile, k * BLOCK, BLOCK);
            }
            for (int i = 0; i < BLOCK; i++) {
                for (int k = 0; k < BLOCK; k++) {
                    double factor = a.cells[(row + i) * n + middle + k];
                    for (int j = 0; j < BLOCK; j++) sums[i * BLOCK + j] += factor * tile[k * BLOCK + j];
                }
            }
        }
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < BLOCK; j++) into.set(row + i, column + j, sums[i * BLOCK + j]);
        }
    }

    static MatMul product(MatMul a, MatMul b) throws InterruptedException {
        MatMul into = new MatMul(a.size);
        AtomicInteger next = new AtomicInteger();
        int across = a.size / BLOCK;
        Runnable work = () -> {
            for (int task = next.getAndIncrement(); task < across * across; task = next.getAndIncrement()) {
                block(a, b, into, task / across * BLOCK, task % across * BLOCK);
            }
        };
        Thread[] workers = {new Thread(work), new Thread(work)};
        for (Thread worker : workers) worker.start();
        for (Thread worker : workers) worker.join();
        return into;
    }

    /** The plain way, by columns: for the check. */
    static double cell(MatMul a, MatMul b, int row, int column) {
        double sum = 0;
        for (int k = 0; k < a.size; k++) sum += a.get(row, k) * b.get(k, column);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 6;
        MatMul matrix = stochastic(512);
        MatMul power = matrix;
        for (int round = 0; round < rounds; round++) {
            MatMul next = product(power, matrix);
            double difference = 0;
            for (int i = 0; i < matrix.size; i++) {
                difference = Math.max(difference, Math.abs(next.get(i, i) - cell(power, matrix, i, i)));
            }
            double trace = 0;
            for (int i = 0; i < matrix.size; i++) trace += next.get(i, i);
            System.out.printf("%d %.9f %b%n", round, trace, difference < 1e-9);
            power = next;
        }
    }
}
