import java.util.concurrent.*;

/** A fork-join pool of its own: recursive tasks and actions. */
public class ForkJoin {
    static class Sum extends RecursiveTask<Long> {
        final int[] data;
        final int from, to;
        Sum(int[] data, int from, int to) { this.data = data; this.from = from; this.to = to; }
        @Override protected Long compute() {
            if (to - from <= 16) {
                long s = 0;
                for (int i = from; i < to; i++) s += data[i];
                return s;
            }
            int mid = (from + to) >>> 1;
            Sum left = new Sum(data, from, mid), right = new Sum(data, mid, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    static class Fill extends RecursiveAction {
        final int[] data;
        final int from, to;
        Fill(int[] data, int from, int to) { this.data = data; this.from = from; this.to = to; }
        @Override protected void compute() {
            if (to - from <= 32) {
                for (int i = from; i < to; i++) data[i] = i * 3;
            } else {
                int mid = (from + to) / 2;
                invokeAll(new Fill(data, from, mid), new Fill(data, mid, to));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        int[] data = new int[200];
        pool.invoke(new Fill(data, 0, data.length));
        System.out.println(pool.invoke(new Sum(data, 0, data.length)));
        System.out.println(pool.submit(() -> "submitted").get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS));
    }
}
