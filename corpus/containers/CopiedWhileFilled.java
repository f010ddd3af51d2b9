// To copy a list reads it: addAll on the private copy races with the add of the other thread.
package containers;

import java.util.ArrayList;
import java.util.List;

public class CopiedWhileFilled {
    public static void main(String[] args) throws Exception {
        List<Integer> samples = new ArrayList<>();
        Thread sensor = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                samples.add(i); //~ RACE
            }
        });
        sensor.start();
        List<Integer> copy = new ArrayList<>();
        copy.addAll(samples); //~ RACE
        sensor.join();
        System.out.println(copy.size() <= 50); //~ NORACE: the copy is main's
    }
}
