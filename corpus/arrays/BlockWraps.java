// Blocks whose start is a product that wraps around.
package arrays;

public class BlockWraps {
    static void work(int[] cells, int number, int size) {
        for (int i = number * size; i < number * size + 2; i++) {
            cells[i]++; //~ RACE: the blocks of 0 and 4 are the same
        }
    }

    public static void main(String[] args) {
        int[] cells = new int[4];
        int size = 1 << 30;
        for (int i = 0; i < 5; i++) {
            int number = i;
            new Thread(() -> work(cells, number, size)).start();
        }
    }
}
