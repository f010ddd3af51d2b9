// Interface methods: defaults, diamonds, private and static ones, super calls, abstract classes, bridges, covariant returns.

import java.util.*;
import java.util.function.*;

public class Defaults {
    interface Named {
        String name();
        default String title() { return decorate(name()); }
        private String decorate(String text) { return "<" + text + ">"; }
        static Named of(String text) { return () -> text; }
    }

    interface Loud extends Named {
        @Override default String title() { return Named.super.title().toUpperCase(Locale.ROOT); }
    }

    interface Soft extends Named {
        @Override default String title() { return "(" + name() + ")"; }
    }

    static class Both implements Loud, Soft {
        @Override public String name() { return "both"; }
        @Override public String title() { return Loud.super.title() + Soft.super.title(); }
    }

    abstract static class Shape implements Comparable<Shape> {
        abstract double area();
        Shape self() { return this; }
        @Override public int compareTo(Shape other) { return Double.compare(area(), other.area()); }
        @Override public String toString() { return getClass().getSimpleName() + area(); }
    }

    static class Square extends Shape {
        final double side;
        Square(double side) { this.side = side; }
        @Override double area() { return side * side; }
        @Override Square self() { return this; }
    }

    static class Circle extends Shape {
        @Override double area() { return 3; }
    }

    static class Box<T extends Comparable<? super T>> implements Consumer<T>, Supplier<T> {
        private T best;
        @Override public void accept(T value) { if (best == null || value.compareTo(best) > 0) best = value; }
        @Override public T get() { return best; }
    }

    static class Rows extends AbstractList<String> implements RandomAccess {
        @Override public String get(int index) { return "row" + index; }
        @Override public int size() { return 3; }
    }

    static class Upper extends ArrayList<String> {
        @Override public boolean add(String text) { return super.add(text.toUpperCase(Locale.ROOT)); }
    }

    public static void main(String[] args) {
        System.out.println(Named.of("n").title() + new Both().title());
        List<Shape> shapes = new ArrayList<>(List.of(new Square(2), new Circle(), new Square(1).self()));
        Collections.sort(shapes);
        System.out.println(shapes);
        Box<Shape> box = new Box<>();
        shapes.forEach(box);
        System.out.println(box.get());
        Collection<String> upper = new Upper();
        upper.addAll(new Rows());
        upper.add("x");
        Collections.addAll(upper, "y");
        System.out.println(upper + " " + new Rows().contains("row1") + new Rows().stream().map(String::length).toList());
        Map<String, Integer> counts = new TreeMap<>(Comparator.reverseOrder());
        for (String word : "a b a c b a".split(" ")) counts.merge(word, 1, Integer::sum);
        counts.computeIfAbsent("d", key -> key.length());
        counts.replaceAll((key, value) -> value * 10);
        System.out.println(counts);
        Object[] copy = shapes.toArray();
        Arrays.sort(copy, (left, right) -> left.hashCode() == right.hashCode() ? 0 : left.toString().compareTo(right.toString()));
        System.out.println(copy[0]);
    }
}
