// A sparse matrix times a vector, over and over; rows are split between threads.
public class Sparse {
    public static void main(String[] args) throws Exception {
        int size = 20_000;
        int iterations = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        int perRow = 5;
        double[] values = new double[size * perRow];
        int[] columns = new int[size * perRow];
        double[] x = new double[size];
        double[] y = new double[size];
        long seed = 42;
        for (int i = 0; i < values.length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            columns[i] = (int) ((seed >>> 33) % size);
            values[i] = (seed >>> 40 & 1023) / 1024.0;
        }
        for (int i = 0; i < size; i++) {
            x[i] = i % 10;
        }
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            int low = size / 2 * t;
            int high = size / 2 * (t + 1);
            workers[t] = new Thread(() -> {
                for (int iteration = 0; iteration < iterations; iteration++) {
                    for (int row = low; row < high; row++) {
                        double sum = y[row];
                        for (int k = row * perRow; k < (row + 1) * perRow; k++) {
                            sum += x[columns[k]] * values[k];
                        }
                        y[row] = sum;
                    }
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        double total = 0;
        for (double value : y) {
            total += value;
        }
        System.out.printf("%.3f%n", total);
    }
}
