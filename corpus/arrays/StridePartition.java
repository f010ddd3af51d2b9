// Thread t takes the elements t, t + n, t + 2n ...: the strides never meet.
package arrays;

public class StridePartition {
    private static final int THREADS = 3;

    public static void main(String[] args) throws Exception {
        int[] squares = new int[30];
        Thread[] workers = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            final int id = t;
            workers[t] = new Thread(() -> {
                for (int i = id; i < squares.length; i += THREADS) {
                    squares[i] = i * i; //~ NORACE: a stride for each thread
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(squares[29]);
    }
}
