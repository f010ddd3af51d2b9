// Each call fills and sorts an array of its own: nothing is shared.
package arrays;

import java.util.Arrays;

public class FilledOwnArray {
    static int median(int seed) {
        int[] numbers = new int[9];
        Arrays.fill(numbers, seed); //~ NORACE: the call's own array
        numbers[4] = seed + 1; //~ NORACE: the call's own array
        Arrays.sort(numbers); //~ NORACE: the call's own array
        return numbers[numbers.length / 2];
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> median(3));
        Thread b = new Thread(() -> median(4));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
