import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Parallel streams and other users of the common pool. */
public class ParallelStreams {
    public static void main(String[] args) throws Exception {
        System.out.println(IntStream.range(0, 300).parallel().map(x -> x * x % 7).sum());
        System.out.println(IntStream.rangeClosed(1, 60).parallel().boxed().filter(x -> x % 7 == 0).map(x -> "n" + x).collect(Collectors.toList()));
        System.out.println(Arrays.asList(5, 3, 9, 1).parallelStream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
        System.out.println(Stream.of("a", "bb", "ccc").parallel().mapToInt(String::length).reduce(1, (a, b) -> a * b));
        long[] values = new long[100];
        Arrays.parallelSetAll(values, i -> i * 3L % 50);
        Arrays.parallelPrefix(values, Long::sum);
        System.out.println(values[99]);
        System.out.println(CompletableFuture.supplyAsync(() -> 41).thenApplyAsync(x -> x + 1).get());
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        IntStream.range(0, 50).parallel().forEach(i -> map.merge(i % 5, 1, Integer::sum));
        System.out.println(map + " " + map.reduceValues(1, Integer::sum));
        try {
            IntStream.range(0, 20).parallel().forEach(i -> { if (i == 13) throw new IllegalStateException("unlucky"); });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
