// Each block ends one too late: the element at the border belongs to two threads.
package arrays;

public class BlockPartitionOverlap {
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
            for (int i = from; i <= to && i < data.length; i++) {
                data[i] = data[i] * 2 + 1; //~ RACE: data[to] is the neighbour's first element
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
    }
}
