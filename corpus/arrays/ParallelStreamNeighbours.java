// A parallel stream over indexes that reads the neighbour's slot: another thread may be writing it.
package arrays;

import java.util.stream.IntStream;

public class ParallelStreamNeighbours {
    public static void main(String[] args) {
        int[] sums = new int[50];
        IntStream.range(1, sums.length).parallel().forEach(i -> {
            sums[i] = sums[i - 1] + i; //~ RACE
        });
        System.out.println(sums[49] >= 0); //~ NORACE: the stream has ended
    }
}
