/** One method, called mostly on an object of one thread and once on one of two: what a quiet version of it is worth. Arguments: calls of fill, calls of small. */
public class OwnAndShared {
    static final class Grid {
        final int[] cells = new int[64];
        int sum, count;
        void fill(int by) {
            for (int i = 0; i < 64; i++) {
                cells[i & by & 63] += by;
                sum += step(i);
                count++;
            }
        }
        int step(int i) { return i * 3; }
        void small(int i) { sum += i; count += i; cells[i & 63] += 1; cells[(i+1)&63] = sum; }
    }
    static Grid shared = new Grid();
    static class Worker extends Thread {
        int n, m; int out;
        Worker(int n, int m) { this.n = n; this.m = m; }
        public void run() {
            Grid own = new Grid();
            for (int i = 0; i < n; i++) own.fill(i);
            for (int i = 0; i < m; i++) own.small(i);
            shared.fill(1);
            shared.small(1);
            out = own.sum;
        }
    }
    public static void main(String[] a) throws Exception {
        int n = Integer.parseInt(a[0]), m = Integer.parseInt(a[1]);
        Worker x = new Worker(n, m), y = new Worker(n, m);
        x.start(); y.start(); x.join(); y.join();
        System.out.println(x.out);
    }
}
