// The threads own rows, but each adds to the common column sums.
package arrays;

public class MatrixColumnSums {
    public static void main(String[] args) throws Exception {
        int n = 4;
        int[][] a = new int[n][n];
        int[] columnSums = new int[n];
        Thread[] workers = new Thread[n];
        for (int t = 0; t < n; t++) {
            final int row = t;
            workers[t] = new Thread(() -> {
                for (int j = 0; j < n; j++) {
                    a[row][j] = row * j; //~ NORACE: a row for each thread
                    columnSums[j] += a[row][j]; //~ RACE
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
