// The same sum by mapToInt and sum: pure functions in a parallel stream.
package modern;

import java.util.List;

public class ParallelMapReduce {
    public static void main(String[] args) {
        List<String> words = List.of("warp", "weft", "selvedge", "shuttle", "loom", "heddle");
        int total = words.parallelStream()
            .mapToInt(String::length) //~ NORACE: no shared state
            .sum();
        System.out.println(total);
    }
}
