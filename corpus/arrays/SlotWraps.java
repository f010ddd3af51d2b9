// Each thread has its own slot by a product that wraps around: the slots of the first and of the last are the same.
package arrays;

public class SlotWraps {
    public static void main(String[] args) {
        int[] slots = new int[4];
        int step = 1 << 30;
        for (int i = 0; i < 5; i++) {
            int number = i;
            new Thread(() -> {
                slots[number * step]++; //~ RACE: 0 * step and 4 * step are both 0
            }).start();
        }
    }
}
