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
                    results[slot] += i; //~ RACE spurious: a slot for each thread; the join of the thread of one slot
                }
            });
            workers[t].start();
        }
        long total = 0;
        for (int t = 0; t < workers.length; t++) {
            workers[t].join();
            total += results[t]; //~ RACE spurious: after the join of the slot's thread; the join of the thread of one
        }
        System.out.println(total);
    }
}
