// The twin of SlotWraps: the product stays within the array.
package arrays;

public class SlotWrapsNot {
    public static void main(String[] args) {
        int[] slots = new int[40];
        for (int i = 0; i < 5; i++) {
            int number = i;
            new Thread(() -> {
                slots[number * 8]++; //~ NORACE: each has its own
            }).start();
        }
    }
}
