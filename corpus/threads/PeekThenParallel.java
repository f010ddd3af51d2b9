// What makes a stream parallel at its end makes all of it parallel.
package threads;

import java.util.ArrayList;
import java.util.List;

public class PeekThenParallel {
    static int seen;

    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            numbers.add(i);
        }
        numbers.stream().peek(i -> seen++).parallel().forEach(i -> { }); //~ RACE
    }
}
