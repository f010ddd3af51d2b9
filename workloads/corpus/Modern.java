// Newer language: records, sealed types, patterns, text blocks, switch expressions, string concatenation, enhanced enums.

import java.util.*;
import java.util.function.*;

public class Modern {
    sealed interface Expression permits Constant, Sum, Product, Negated { }
    record Constant(int value) implements Expression { }
    record Sum(Expression left, Expression right) implements Expression { }
    record Product(Expression left, Expression right) implements Expression {
        Product {
            Objects.requireNonNull(left);
        }
        static Product square(Expression base) { return new Product(base, base); }
    }
    record Negated(Expression inner) implements Expression {
        @Override public String toString() { return "-" + inner; }
    }

    enum Level implements IntSupplier {
        LOW(1), HIGH(10) { @Override public int getAsInt() { return super.getAsInt() * 2; } };
        private final int weight;
        Level(int weight) { this.weight = weight; }
        @Override public int getAsInt() { return weight; }
    }

    record Pair<A, B>(A first, B second) {
        <C> Pair<A, C> with(C other) { return new Pair<>(first, other); }
    }

    static int evaluate(Expression expression) {
        if (expression instanceof Constant constant) return constant.value();
        if (expression instanceof Sum sum) return evaluate(sum.left()) + evaluate(sum.right());
        if (expression instanceof Product product) return evaluate(product.left()) * evaluate(product.right());
        return -evaluate(((Negated) expression).inner());
    }

    static String kind(String text) {
        return switch (text) {
            case "a", "b" -> "letter";
            case "one" -> {
                String padded = text + '1';
                yield padded;
            }
            default -> "other";
        };
    }

    public static void main(String[] args) {
        Expression expression = new Sum(Product.square(new Constant(3)), new Negated(new Constant(4)));
        System.out.println(expression + " = " + evaluate(expression));
        System.out.println(expression.equals(new Sum(Product.square(new Constant(3)), new Negated(new Constant(4)))) + " " + (expression.hashCode() != 0));
        System.out.println(kind("a") + kind("one") + kind("z"));
        String block = """
            line one
              line "two" \
            joined
            """;
        System.out.print(block.strip().lines().map(String::strip).toList());
        char letter = 'c';
        long big = 1L << 40;
        double half = 0.5;
        System.out.println(" " + letter + big + half + null + true + Level.HIGH + (Object) new Pair<>("p", 1).with(Level.LOW));
        Map<Level, Integer> weights = new EnumMap<>(Level.class);
        for (Level level : Level.values()) weights.put(level, level.getAsInt());
        var total = 0;
        for (var entry : weights.entrySet()) total += entry.getValue();
        System.out.println(total + " " + EnumSet.allOf(Level.class));
        Iterable<Integer> numbers = () -> List.of(1, 2).iterator();
        for (int number : numbers) System.out.print(number);
        System.out.println(Optional.of(new Constant(7)).map(Constant::value).filter(value -> value > 3).orElseThrow());
    }
}
