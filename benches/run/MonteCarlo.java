// Simulated price paths: each task makes arrays of its own and adds its result to a shared list under a lock.
import java.util.ArrayList;
import java.util.List;

public class MonteCarlo {
    static boolean debug;
    static final List<Double> results = new ArrayList<>();

    static class Path {
        final double[] values;
        long seed;

        Path(int steps, long seed) {
            values = new double[steps];
            this.seed = seed;
        }

        double next() {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            return (seed >>> 11) / (double) (1L << 53) - 0.5;
        }

        double run() {
            values[0] = 100;
            for (int i = 1; i < values.length; i++) {
                values[i] = values[i - 1] * (1 + 0.01 * next());
            }
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return sum / values.length;
        }
    }

    public static void main(String[] args) throws Exception {
        int paths = args.length > 0 ? Integer.parseInt(args[0]) : 3000;
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            int id = t;
            workers[t] = new Thread(() -> {
                for (int path = id; path < paths; path += 2) {
                    double result = new Path(1000, path).run();
                    if (debug) {
                        System.out.println(result);
                    }
                    synchronized (results) {
                        results.add(result);
                    }
                }
            });
            workers[t].start();
        }
        debug = false;
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(results.size());
    }
}
