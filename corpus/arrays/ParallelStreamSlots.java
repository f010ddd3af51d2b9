// A parallel stream over indexes: every index is handled once, so every slot has one writer.
package arrays;

import java.util.Arrays;
import java.util.stream.IntStream;

public class ParallelStreamSlots {
    public static void main(String[] args) {
        int[] cubes = new int[50];
        IntStream.range(0, cubes.length).parallel().forEach(i -> {
            cubes[i] = i * i * i; //~ NORACE: each index once
        });
        System.out.println(Arrays.stream(cubes).sum()); //~ NORACE: the stream has ended
    }
}
