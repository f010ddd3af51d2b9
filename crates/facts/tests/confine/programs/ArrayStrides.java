/** Strides that fit the number of threads, strides that do not, rows of a matrix. */
public class ArrayStrides {
    static final int THREADS = 3;

    public static void main(String[] args) {
        int[] squares = new int[30];
        for (int t = 0; t < THREADS; t++) {
            int id = t;
            new Thread(() -> {
                for (int i = id; i < squares.length; i += THREADS) {
                    squares[i] = i * i;
                }
            }).start();
        }
        int[] wrong = new int[30];
        for (int t = 0; t < THREADS; t++) {
            int id = t;
            new Thread(() -> {
                for (int i = id; i < wrong.length; i += THREADS - 1) {
                    wrong[i] = i * i; // pair
                }
            }).start();
        }
        int[] more = new int[30];
        for (int t = 0; t < THREADS + 1; t++) {
            int id = t;
            new Thread(() -> {
                for (int i = id; i < more.length; i += THREADS) {
                    more[i] = i * i; // pair
                }
            }).start();
        }
        int[][] matrix = new int[4][4];
        for (int t = 0; t < 4; t++) {
            int row = t;
            new Thread(() -> {
                for (int j = 0; j < 4; j++) {
                    matrix[row][j]++;
                }
            }).start();
        }
        int[][] columns = new int[4][4];
        for (int t = 0; t < 4; t++) {
            int column = t;
            new Thread(() -> {
                for (int j = 0; j < 4; j++) {
                    columns[j][0] += column; // pair
                }
            }).start();
        }
        int[][] shared = new int[4][4];
        shared[1] = shared[0];
        for (int t = 0; t < 4; t++) {
            int row = t;
            new Thread(() -> {
                shared[row][0]++; // pair: one row for two threads
            }).start();
        }
    }
}
