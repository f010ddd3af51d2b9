// Each thread writes its result into the slot with its own number; main adds them up after the joins.
package arrays;

public class SlotPerThread {
    public static void main(String[] args) throws Exception {
        long[] results = new long[4];
        Thread[] workers = new Thread[results.length];
        for (int t = 0; t < workers.length; t++) {
            int slot = t;
            workers[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    results[slot] += i; //~ NORACE: a slot for each thread
                }
            });
            workers[t].start();
        }
        long total = 0;
        for (int t = 0; t < workers.length; t++) {
            workers[t].join();
            total += results[t]; //~ NORACE: after the join of the slot's thread
        }
        System.out.println(total);
    }
}
