// The stream's own reduction: collect gives every thread its own container and merges them in order.
package threads;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class ParallelStreamCollect {
    public static void main(String[] args) {
        int offset = args.length;
        List<Integer> squares = IntStream.range(0, 500).parallel()
            .mapToObj(i -> i * i + offset) //~ NORACE: no shared state
            .collect(Collectors.toList());
        System.out.println(squares.size()); //~ NORACE: the result belongs to main
    }
}
