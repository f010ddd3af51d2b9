// The stride is one too small: threads 0 and 2 meet at element 2.
package arrays;

public class StrideWrong {
    private static final int THREADS = 3;

    public static void main(String[] args) throws Exception {
        int[] squares = new int[30];
        Thread[] workers = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            final int id = t;
            workers[t] = new Thread(() -> {
                for (int i = id; i < squares.length; i += THREADS - 1) {
                    squares[i] = i * i; //~ RACE
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
