import java.util.*;
import java.util.function.*;

/** Lambdas and method references of every kind: captures, boxing adaptation, composition, recursion, constructors. */
public class Lambdas {
    interface TriFunction<A, B, C, R> { R apply(A a, B b, C c); }

    interface IntOp { int apply(int a, int b); }

    int base;

    Lambdas(int base) { this.base = base; }

    Lambdas() { this(-1); }

    int addBase(int x) { return base + x; }

    static int square(int x) { return x * x; }

    static String describe(Object... parts) { return parts.length + Arrays.toString(parts); }

    Supplier<Integer> capturesThis() {
        int local = 5;
        return () -> base * local;
    }

    static long sum(long... values) {
        long total = 0;
        for (long v : values) total += v;
        return total;
    }

    static class Parent {
        String hello(String s) { return "parent " + s; }
    }

    static class Child extends Parent {
        String hello(String s) { return "child " + s; }
        Function<String, String> viaSuper() { return super::hello; }
        Function<String, String> viaThis() { return this::hello; }
    }

    public static void main(String[] args) {
        IntOp add = (a, b) -> a + b, mul = (a, b) -> a * b;
        System.out.println(add.apply(3, 4) + " " + mul.apply(3, 4));
        Function<Integer, Integer> f = Lambdas::square;
        IntFunction<String> hex = Integer::toHexString;
        ToIntFunction<String> length = String::length;
        BiFunction<String, String, Boolean> eq = String::equals;
        System.out.println(f.apply(12) + hex.apply(255) + length.applyAsInt("four") + eq.apply("a", "a"));
        Lambdas object = new Lambdas(100);
        IntUnaryOperator bound = object::addBase;
        BiFunction<Lambdas, Integer, Integer> unbound = Lambdas::addBase;
        object.base = 200;
        System.out.println(bound.applyAsInt(1) + " " + unbound.apply(object, 2) + " " + object.capturesThis().get());
        IntFunction<Lambdas> withArg = Lambdas::new;
        Supplier<Lambdas> noArg = Lambdas::new;
        IntFunction<int[]> newArray = int[]::new;
        Function<Integer, String[][]> newArrays = String[][]::new;
        System.out.println(withArg.apply(9).base + " " + noArg.get().base + " " + newArray.apply(7).length + " " + newArrays.apply(2).length);
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * 10 + b;
        System.out.println(curried.apply(4).apply(2) + " " + f.compose(f).andThen(x -> x + 0.5).apply(2));
        TriFunction<Long, Double, Character, String> tri = (l, d, c) -> l + "|" + d + "|" + c;
        System.out.println(tri.apply(1L, 2.0, 'c'));
        boolean z = true; byte b = 1; short s = 2; char c = 'd'; float fl = 3.5f; long lo = 1L << 33; double d = 0.25;
        Supplier<String> captures = () -> z + " " + b + " " + s + " " + c + " " + fl + " " + lo + " " + d;
        System.out.println(captures.get());
        UnaryOperator<String> up = String::toUpperCase;
        System.out.println(up.apply("shout") + Optional.of("x").map("pre"::concat).get());
        BinaryOperator<Integer> max = BinaryOperator.maxBy(Comparator.naturalOrder());
        Predicate<String> empty = String::isEmpty;
        System.out.println(max.apply(3, 9) + " " + empty.negate().or(x -> true).and(x -> x.length() < 3).test("ab"));
        ToLongFunction<Integer> widen = Integer::intValue;
        DoubleSupplier fromInt = () -> 3;
        LongBinaryOperator varargs = Lambdas::sum;
        System.out.println(widen.applyAsLong(7) + " " + fromInt.getAsDouble() + " " + varargs.applyAsLong(3, 4));
        BiFunction<Object, Object, String> spread = Lambdas::describe;
        System.out.println(spread.apply("p", 1));
        Child child = new Child();
        System.out.println(child.viaSuper().apply("x") + " " + child.viaThis().apply("y"));
        Function<Integer, Integer>[] fact = new Function[1];
        fact[0] = n -> n <= 1 ? 1 : n * fact[0].apply(n - 1);
        System.out.println(fact[0].apply(10));
        List<Runnable> later = new ArrayList<>();
        for (int i = 0; i < 3; i++) { int k = i; later.add(() -> System.out.print(k + ";")); }
        later.forEach(Runnable::run);
        System.out.println();
        Comparator<String> byLength = Comparator.comparing(String::length);
        List<String> words = new ArrayList<>(List.of("pear", "fig", "banana", "kiwi", "apple"));
        words.sort(byLength.thenComparing(Comparator.reverseOrder()));
        System.out.println(words);
        Callback cb = Lambdas::ignoreResult;
        cb.call("done");
        Object asObject = (Runnable & java.io.Serializable) () -> System.out.println("serializable");
        ((Runnable) asObject).run();
        try {
            Function<Object, Integer> bad = (Function<Object, Integer>) (Function) (Function<String, Integer>) String::length;
            bad.apply(17);
        } catch (ClassCastException e) {
            System.out.println("cast in lambda");
        }
        try {
            Supplier<String> ofNull = ((String) null)::trim;
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
    }

    interface Callback { void call(String s); }

    static int ignoreResult(String s) {
        System.out.println(s);
        return 1;
    }
}
