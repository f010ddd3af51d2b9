// Each thread works on its own block [from, to) of a shared array; the blocks do not overlap.
package arrays;

public class BlockPartition {
    static class Worker extends Thread {
        private final double[] data;
        private final int from;
        private final int to;

        Worker(double[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            for (int i = from; i < to; i++) {
                data[i] = data[i] * 2 + 1; //~ NORACE: blocks do not overlap
            }
        }
    }

    public static void main(String[] args) throws Exception {
        double[] data = new double[100];
        int threads = 4;
        int block = data.length / threads;
        Worker[] workers = new Worker[threads];
        for (int t = 0; t < threads; t++) {
            workers[t] = new Worker(data, t * block, (t + 1) * block);
            workers[t].start();
        }
        for (Worker worker : workers) {
            worker.join();
        }
        System.out.println(data[0] + data[99]); //~ NORACE: all are joined
    }
}
