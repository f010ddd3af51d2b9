package java.util.function;

@FunctionalInterface
public interface BiFunction<A, B, R> {
    R apply(A first, B second);
}
