// Each call of the method makes workers 0 to 3, for an array of its own.
package arrays;

public class TurnsOfTwoArrays {
    static class Worker extends Thread {
        private final int id;
        private final int[] slots;

        Worker(int id, int[] slots) {
            this.id = id;
            this.slots = slots;
        }

        @Override
        public void run() {
            slots[id]++; //~ NORACE: one worker of this number has this array
        }
    }

    private static void startAll() {
        int[] slots = new int[4];
        for (int i = 0; i < 4; i++) {
            new Worker(i, slots).start();
        }
    }

    public static void main(String[] args) {
        startAll();
        startAll();
    }
}
