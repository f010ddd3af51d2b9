// Lambdas and method references of every kind, captured values, serializable ones, intersections, recursion, currying.

import java.io.*;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;

public class Lambdas {
    interface TriFunction<A, B, C, R> {
        R apply(A a, B b, C c);
        default <S> TriFunction<A, B, C, S> then(Function<? super R, ? extends S> next) { return (a, b, c) -> next.apply(apply(a, b, c)); }
    }

    interface Marker { }

    private final String prefix;
    Lambdas(String prefix) { this.prefix = prefix; }
    String add(String text) { return prefix + text; }
    Supplier<String> self() { return () -> add("self"); }
    static String shout(String text) { return text + "!"; }
    static <T> T twice(UnaryOperator<T> operator, T value) { return operator.apply(operator.apply(value)); }
    @SafeVarargs static <T> List<T> listOf(T... values) { return Arrays.asList(values); }

    static class Parent {
        String name() { return "parent"; }
    }

    static class Child extends Parent {
        @Override String name() { return "child"; }
        Supplier<String> ofParent() { return super::name; }
        Supplier<String> own() { return this::name; }
    }

    static Function<Integer, Integer> factorial;

    public static void main(String[] args) throws Exception {
        Lambdas instance = new Lambdas("p-");
        Function<String, String> bound = instance::add;
        BiFunction<Lambdas, String, String> unbound = Lambdas::add;
        Function<String, Lambdas> constructor = Lambdas::new;
        IntFunction<int[]> array = int[]::new;
        System.out.println(bound.apply("a") + unbound.apply(instance, "b") + constructor.apply("q-").add("c") + array.apply(3).length);
        System.out.println(instance.self().get() + twice(Lambdas::shout, "x"));
        Child child = new Child();
        System.out.println(child.ofParent().get() + child.own().get());
        int captured = args.length + 5;
        long wide = 7L;
        TriFunction<Integer, Long, Double, Double> sum = (a, b, c) -> a + b + c + captured + wide;
        System.out.println(sum.then(value -> value / 2).apply(1, 2L, 3.0));
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * b;
        System.out.println(curried.apply(6).apply(7));
        factorial = n -> n < 2 ? 1 : n * factorial.apply(n - 1);
        System.out.println(factorial.apply(5));
        Runnable marked = (Runnable & Marker) () -> System.out.println("marked");
        marked.run();
        System.out.println(marked instanceof Marker);
        Supplier<String> serializable = (Supplier<String> & Serializable) () -> "sent " + captured;
        System.out.println(copy(serializable).get());
        Callable<Object> thrower = () -> { throw new IOException("thrown"); };
        try {
            thrower.call();
        } catch (IOException expected) {
            System.out.println(expected.getMessage());
        }
        Function<String[], List<String>> varargs = Lambdas::listOf;
        System.out.println(varargs.apply(new String[] {"v", "w"}));
        Function<String, Integer> composed = ((Function<String, String>) String::trim).andThen(String::length).compose(Object::toString);
        System.out.println(composed.apply(" abc "));
        Predicate<String> predicate = Predicate.not(String::isEmpty).and(text -> text.length() < 4).or("long"::equals);
        System.out.println(predicate.test("long") + " " + predicate.test(""));
        Optional.of("o").map(String::toUpperCase).ifPresentOrElse(System.out::println, () -> System.out.println("none"));
    }

    @SuppressWarnings("unchecked")
    static <T> T copy(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }
}
