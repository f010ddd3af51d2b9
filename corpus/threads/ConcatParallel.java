// A stream that is put before a parallel one is parallel, too.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

public class ConcatParallel {
    static int seen;

    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            numbers.add(i);
        }
        Stream.concat(numbers.stream().map(i -> seen++), numbers.parallelStream()).forEach(i -> { }); //~ RACE
    }
}
