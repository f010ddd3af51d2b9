import java.util.*;
import java.util.function.*;

/** Optional and friends, Objects, StringJoiner, functional helpers, iterators over custom structures. */
public class Optionals {
    static Optional<Integer> parse(String s) {
        try {
            return Optional.of(Integer.parseInt(s));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static class Range implements Iterable<Integer> {
        final int from, to;
        Range(int from, int to) { this.from = from; this.to = to; }
        public Iterator<Integer> iterator() {
            return new Iterator<Integer>() {
                int next = from;
                public boolean hasNext() { return next < to; }
                public Integer next() {
                    if (!hasNext()) throw new NoSuchElementException();
                    return next++;
                }
            };
        }
    }

    static <T, R> Function<T, R> memoise(Function<T, R> f, Map<T, R> cache) {
        return t -> cache.computeIfAbsent(t, f);
    }

    public static void main(String[] args) {
        for (String s : new String[]{"12", "x", "-3"}) {
            Optional<Integer> o = parse(s);
            System.out.println(o + " " + o.map(i -> i * 2).orElse(0) + " " + o.filter(i -> i > 0).isPresent() + " " + o.flatMap(i -> parse(i + "0")).or(() -> Optional.of(-1)).get());
        }
        try {
            parse("none").orElseThrow(() -> new IllegalStateException("nothing parsed"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        OptionalInt oi = OptionalInt.of(5);
        OptionalDouble od = OptionalDouble.empty();
        System.out.println(oi + " " + od + " " + oi.getAsInt() + od.orElse(1.5));
        int sum = 0;
        for (int i : new Range(3, 8)) sum += i;
        System.out.println(sum);
        new Range(0, 3).forEach(i -> System.out.print(i + " "));
        System.out.println();
        StringJoiner joiner = new StringJoiner(", ", "{", "}");
        joiner.setEmptyValue("EMPTY");
        System.out.println(joiner);
        joiner.add("a").add("b");
        System.out.println(joiner + " " + joiner.length());
        System.out.println(Objects.equals(null, null) + " " + Objects.requireNonNullElse(null, "else") + " " + Objects.toString(null, "dflt") + " " + Objects.hashCode(null));
        try {
            Objects.requireNonNull(null, "must not be null");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.checkIndex(5, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        int[] calls = {0};
        Function<Integer, Integer> slow = memoise(n -> { calls[0]++; return n * n; }, new HashMap<>());
        System.out.println(slow.apply(5) + slow.apply(5) + slow.apply(6) + " " + calls[0]);
        Supplier<Supplier<String>> nested = () -> () -> "nested";
        System.out.println(nested.get().get());
        BiFunction<Integer, Integer, Integer> gcd = new BiFunction<>() {
            public Integer apply(Integer a, Integer b) { return b == 0 ? a : this.apply(b, a % b); }
        };
        System.out.println(gcd.andThen(g -> "gcd " + g).apply(84, 36));
        Scanner scanner = null;
        System.out.println(Optional.ofNullable(scanner).isEmpty());
        UUID uuid = new UUID(0x1234L, 0xabcdL);
        System.out.println(uuid + " " + UUID.fromString(uuid.toString()).equals(uuid));
    }
}
