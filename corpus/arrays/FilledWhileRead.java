// Arrays.fill writes every element of the array that it is given, on behalf of the caller.
package arrays;

import java.util.Arrays;

public class FilledWhileRead {
    private final int[] levels = new int[8];

    void reset() {
        Arrays.fill(levels, 0); //~ RACE
    }

    int level(int channel) {
        return levels[channel]; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        FilledWhileRead mixer = new FilledWhileRead();
        Thread resetter = new Thread(mixer::reset);
        resetter.start();
        System.out.println(mixer.level(3));
        resetter.join();
    }
}
