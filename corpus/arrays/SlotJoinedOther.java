// Main joins one worker and reads the slot of another, which may still run.
package arrays;

public class SlotJoinedOther {
    public static void main(String[] args) throws Exception {
        long[] results = new long[4];
        Thread[] workers = new Thread[results.length];
        for (int t = 0; t < workers.length; t++) {
            int slot = t;
            workers[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    results[slot] += i; //~ RACE
                }
            });
            workers[t].start();
        }
        long total = 0;
        for (int t = 0; t < workers.length; t++) {
            workers[t].join();
            total += results[workers.length - 1 - t]; //~ RACE: the slot of the worker at the other end
        }
        System.out.println(total >= 0);
    }
}
