// Each call of the method makes workers 0 to 3, and both calls are for the same array.
package arrays;

public class TurnsOfTwoCalls {
    static class Worker extends Thread {
        private final int id;
        private final int[] slots;

        Worker(int id, int[] slots) {
            this.id = id;
            this.slots = slots;
        }

        @Override
        public void run() {
            slots[id]++; //~ RACE: with the worker of this number that the other call made
        }
    }

    private static void startAll(int[] slots) {
        for (int i = 0; i < 4; i++) {
            new Worker(i, slots).start();
        }
    }

    public static void main(String[] args) {
        int[] slots = new int[4];
        startAll(slots);
        startAll(slots);
    }
}
