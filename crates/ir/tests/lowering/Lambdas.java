import java.io.Serializable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

class Lambdas {
    int field;

    Runnable captures(int a, String b) { return () -> field = a + b.length(); }

    Object references(String text) {
        Function<String, Integer> unbound = String::length;
        Supplier<Integer> bound = text::length;
        IntBinaryOperator statics = Math::max;
        Function<Integer, int[]> array = int[]::new;
        Supplier<Lambdas> constructor = Lambdas::new;
        BiFunction<Lambdas, Integer, Object> own = Lambdas::pick;
        return unbound.apply(text) + bound.get() + statics.applyAsInt(1, 2) + array.apply(3).length
            + constructor.get().field + own.apply(this, 1).hashCode();
    }

    Object pick(int n) { return (Runnable & Serializable) () -> System.out.println(n); }
}
