// Each thread writes its own element and reads its neighbour's in the same pass.
package arrays;

public class NeighbourRead {
    static class Cell extends Thread {
        private final int[] heat;
        private final int index;

        Cell(int[] heat, int index) {
            this.heat = heat;
            this.index = index;
        }

        @Override
        public void run() {
            heat[index] = heat[index + 1] + 1; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        int[] heat = new int[5];
        Cell[] cells = new Cell[4];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell(heat, i);
            cells[i].start();
        }
        for (Cell cell : cells) {
            cell.join();
        }
    }
}
