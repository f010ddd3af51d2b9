// The same side effect in a sequential stream is single-threaded: the lambda runs in the caller.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

public class SequentialStream {
    private static int count;

    public static void main(String[] args) {
        List<Integer> squares = new ArrayList<>();
        IntStream.range(0, 10).forEach(i -> {
            squares.add(i * i); //~ NORACE: runs in main
            count++; //~ NORACE: runs in main
        });
        System.out.println(squares.size() + count); //~ NORACE: all in main
    }
}
