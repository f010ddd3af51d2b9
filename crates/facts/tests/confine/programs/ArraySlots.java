/** A slot for each thread, neighbours, a slot for two threads, constant slots. */
public class ArraySlots {
    static class Worker extends Thread {
        private final long[] sums;
        private final int id;

        Worker(long[] sums, int id) {
            this.sums = sums;
            this.id = id;
        }

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                add(i);
            }
        }

        private void add(int n) {
            sums[id] += n;
        }
    }

    static class Neighbour extends Thread {
        private final long[] cells;
        private final int id;

        Neighbour(long[] cells, int id) {
            this.cells = cells;
            this.id = id;
        }

        @Override
        public void run() {
            long next = cells[id + 1]; // pair
            cells[id] = next; // pair
        }
    }

    static class Changing extends Thread {
        private final long[] values;
        private int id;

        Changing(long[] values, int id) {
            this.values = values;
            this.id = id; // before the thread can be started
        }

        @Override
        public void run() {
            id = 0; // by the thread itself
            values[id]++; // pair: the number changes
        }
    }

    public static void main(String[] args) {
        long[] sums = new long[8];
        for (int t = 0; t < 8; t++) {
            new Worker(sums, t).start();
        }
        int[] captured = new int[8];
        for (int t = 0; t < 8; t++) {
            int slot = 7 - t;
            new Thread(() -> captured[slot]++).start();
        }
        int[] twice = new int[8];
        for (int t = 0; t < 8; t++) {
            int slot = t / 2;
            new Thread(() -> twice[slot]++).start(); // pair
        }
        int[] nested = new int[8];
        for (int round = 0; round < 2; round++) {
            for (int t = 0; t < 8; t++) {
                int slot = t;
                new Thread(() -> nested[slot]++).start(); // pair: each slot has a thread in each round
            }
        }
        long[] cells = new long[9];
        for (int t = 0; t < 8; t++) {
            new Neighbour(cells, t).start();
        }
        long[] values = new long[9];
        for (int t = 0; t < 8; t++) {
            new Changing(values, t).start();
        }
        int[] constants = new int[3];
        new Thread(() -> constants[0]++).start();
        new Thread(() -> constants[1]++).start();
        new Thread(() -> constants[2]++).start(); // pair
        new Thread(() -> constants[2]++).start(); // pair
    }
}
