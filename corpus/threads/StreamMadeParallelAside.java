// A stream becomes parallel by a call whose result nobody uses.
package threads;

import java.util.List;
import java.util.stream.Stream;

public class StreamMadeParallelAside {
    private static int sum;

    public static void main(String[] args) {
        Stream<Integer> numbers = List.of(1, 2, 3, 4).stream();
        numbers.parallel();
        numbers.forEach(number -> {
            sum += number; //~ RACE
        });
    }
}
