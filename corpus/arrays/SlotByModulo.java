// Five threads, four slots: the first and the last thread share one.
package arrays;

public class SlotByModulo {
    public static void main(String[] args) throws Exception {
        int[] slots = new int[4];
        Thread[] workers = new Thread[5];
        for (int t = 0; t < workers.length; t++) {
            int slot = t % slots.length;
            workers[t] = new Thread(() -> {
                slots[slot]++; //~ RACE
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
