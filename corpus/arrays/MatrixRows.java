// A matrix multiplied row by row: each thread owns a row of the result, the factors are only read.
package arrays;

public class MatrixRows {
    public static void main(String[] args) throws Exception {
        int n = 4;
        int[][] a = new int[n][n];
        int[][] product = new int[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = i + j; //~ NORACE: before the threads start
            }
        }
        Thread[] workers = new Thread[n];
        for (int t = 0; t < n; t++) {
            final int row = t;
            workers[t] = new Thread(() -> {
                for (int j = 0; j < n; j++) {
                    for (int k = 0; k < n; k++) {
                        product[row][j] += a[row][k] * a[k][j]; //~ NORACE: a row for each thread
                    }
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(product[n - 1][n - 1]);
    }
}
