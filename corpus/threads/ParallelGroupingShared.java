// A parallel stream that fills a plain map from forEach.
package threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

public class ParallelGroupingShared {
    public static void main(String[] args) {
        Map<Integer, List<Integer>> groups = new HashMap<>();
        IntStream.range(0, 100).parallel().forEach(i ->
            groups.computeIfAbsent(i % 3, key -> new ArrayList<>()) //~ RACE
                .add(i)); //~ RACE
        System.out.println(groups.size() <= 100); //~ NORACE: the stream is done
    }
}
