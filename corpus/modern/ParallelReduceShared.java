// Summing into a captured array inside a parallel stream, where reduce or sum would have been right.
package modern;

import java.util.List;

public class ParallelReduceShared {
    public static void main(String[] args) {
        List<String> words = List.of("warp", "weft", "selvedge", "shuttle", "loom", "heddle");
        int[] total = new int[1];
        words.parallelStream().forEach(word -> {
            total[0] += word.length(); //~ RACE
        });
        System.out.println(total[0] > 0); //~ NORACE: the stream has ended
    }
}
