// A Monte Carlo simulation: the results are collected under a lock; a static debug switch is set by every constructor,
// with the same value each time, and read by all.
package papers;

import java.util.ArrayList;
import java.util.List;

public class MonteCarloShape {
    static class Path {
        static boolean debug;
        private double value;

        Path(boolean verbose) {
            debug = verbose; //~ RACE: benign, always the same value
        }

        void simulate(int seed) {
            value = (seed * 7919 % 1000) / 1000.0; //~ NORACE: the worker's own path
            if (debug) { //~ RACE: benign, always the same value
                System.err.print("");
            }
        }
    }

    private final List<Path> results = new ArrayList<>();
    private int next;

    synchronized int nextTask() {
        return next < 10 ? next++ : -1; //~ NORACE: guarded by this
    }

    synchronized void collect(Path path) {
        results.add(path); //~ NORACE: guarded by this
    }

    void work() {
        for (int task = nextTask(); task >= 0; task = nextTask()) {
            Path path = new Path(false);
            path.simulate(task);
            collect(path);
        }
    }

    public static void main(String[] args) throws Exception {
        MonteCarloShape simulation = new MonteCarloShape();
        Thread a = new Thread(simulation::work);
        Thread b = new Thread(simulation::work);
        a.start();
        b.start();
        a.join();
        b.join();
        double sum = 0;
        for (Path path : simulation.results) { //~ NORACE: after the joins
            sum += path.value; //~ NORACE: after the joins
        }
        System.out.println(sum > 0);
    }
}
