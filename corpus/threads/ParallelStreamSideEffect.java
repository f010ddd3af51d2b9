// A side effect inside a parallel stream: forEach runs the lambda in several threads and the list is not safe.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

public class ParallelStreamSideEffect {
    public static void main(String[] args) {
        List<Integer> squares = new ArrayList<>(1000);
        IntStream.range(0, 500).parallel().forEach(i -> {
            squares.add(i * i); //~ RACE
        });
        System.out.println(squares.size() <= 500); //~ NORACE: the stream has ended
    }
}
