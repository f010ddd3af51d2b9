/** A block for each thread, with ends that fit and ends that overlap. */
public class ArrayBlocks {
    static class Block extends Thread {
        private final double[] data;
        private final int from;
        private final int to;

        Block(double[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            for (int i = from; i < to; i++) {
                data[i] = data[i] * 2;
            }
        }
    }

    static class Overlap extends Thread {
        private final double[] data;
        private final int from;
        private final int to;

        Overlap(double[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            for (int i = from; i <= to; i++) {
                data[i] = i; // pair: one too far
            }
        }
    }

    public static void main(String[] args) {
        double[] data = new double[100];
        int threads = args.length + 1;
        int block = data.length / threads;
        for (int t = 0; t < threads; t++) {
            new Block(data, t * block, (t + 1) * block).start();
        }
        double[] other = new double[100];
        for (int t = 0; t < threads; t++) {
            new Overlap(other, t * block, (t + 1) * block).start();
        }
        int[] tens = new int[100];
        for (int t = 0; t < 10; t++) {
            int start = t * 10;
            new Thread(() -> {
                for (int i = start; i < start + 10; i++) {
                    tens[i]++;
                }
            }).start();
        }
        int[] elevens = new int[100];
        for (int t = 0; t < 10; t++) {
            int start = t * 10;
            new Thread(() -> {
                for (int i = start; i < start + 11; i++) {
                    elevens[i]++; // pair
                }
            }).start();
        }
    }
}
