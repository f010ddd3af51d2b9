// A two-dimensional array whose rows are one and the same array: distinct first indexes do not help.
package arrays;

import java.util.Arrays;

public class SharedRow {
    public static void main(String[] args) throws Exception {
        int[] template = new int[8];
        int[][] rows = new int[3][];
        Arrays.fill(rows, template);
        Thread[] workers = new Thread[rows.length];
        for (int t = 0; t < workers.length; t++) {
            final int row = t;
            workers[t] = new Thread(() -> {
                for (int j = 0; j < 8; j++) {
                    rows[row][j] = row; //~ RACE: all rows are the template
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
