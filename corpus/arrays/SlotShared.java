// All threads add to slot 0 of the shared array: the index is the same for everybody.
package arrays;

public class SlotShared {
    public static void main(String[] args) throws Exception {
        long[] results = new long[4];
        Thread[] workers = new Thread[4];
        for (int t = 0; t < workers.length; t++) {
            workers[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    results[0] += i; //~ RACE
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(results[0] > 0); //~ NORACE: all are joined
    }
}
