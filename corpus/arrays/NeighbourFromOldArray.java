// The neighbour's value is read from the old array and the result written to a new one: reads and writes do not meet.
package arrays;

public class NeighbourFromOldArray {
    static class Cell extends Thread {
        private final int[] old;
        private final int[] fresh;
        private final int index;

        Cell(int[] old, int[] fresh, int index) {
            this.old = old;
            this.fresh = fresh;
            this.index = index;
        }

        @Override
        public void run() {
            fresh[index] = old[index + 1] + 1; //~ NORACE: old is only read, fresh has one writer for each slot
        }
    }

    public static void main(String[] args) throws Exception {
        int[] old = new int[5];
        int[] fresh = new int[5];
        Cell[] cells = new Cell[4];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell(old, fresh, i);
            cells[i].start();
        }
        for (Cell cell : cells) {
            cell.join();
        }
        System.out.println(fresh[0]);
    }
}
