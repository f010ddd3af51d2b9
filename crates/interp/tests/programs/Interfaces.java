import java.util.function.IntSupplier;

/** Default methods, diamonds, private and static interface methods, bridge methods, Object's methods on interfaces. */
public class Interfaces {
    interface Named {
        String name();
        default String greeting() { return prefix() + name(); }
        private String prefix() { return "I am "; }
        static Named of(String s) { return () -> s; }
    }

    interface Loud extends Named {
        @Override default String greeting() { return Named.super.greeting() + "!"; }
    }

    interface Polite extends Named {
        @Override default String greeting() { return "please, " + Named.super.greeting(); }
    }

    static class Both implements Loud, Polite {
        public String name() { return "both"; }
        public String greeting() { return Loud.super.greeting() + " " + Polite.super.greeting(); }
    }

    static class FromClass {
        public String greeting() { return "class wins"; }
    }

    static class Winner extends FromClass implements Loud2 {}

    interface Loud2 {
        default String greeting() { return "interface"; }
    }

    interface Source<T> {
        T next();
        default T second() { next(); return next(); }
    }

    static class Counter implements Source<Integer>, IntSupplier {
        int at;
        public Integer next() { return ++at; }
        public int getAsInt() { return at; }
    }

    static abstract class Shape implements Comparable<Shape> {
        abstract double area();
        public int compareTo(Shape o) { return Double.compare(area(), o.area()); }
        Shape self() { return this; }
    }

    static class Square extends Shape {
        double side;
        Square(double side) { this.side = side; }
        double area() { return side * side; }
        @Override Square self() { return this; }
    }

    static int compare(Comparable<Shape> a, Shape b) {
        return a.compareTo(b);
    }

    public static void main(String[] args) {
        System.out.println(Named.of("lambda").greeting());
        Loud loud = () -> "loud";
        System.out.println(loud.greeting());
        System.out.println(new Both().greeting());
        System.out.println(new Winner().greeting() + ((Loud2) new Winner()).greeting());
        Counter counter = new Counter();
        Source<Integer> source = counter;
        int unboxed = source.next() + source.second();
        System.out.println(unboxed + " " + counter.getAsInt());
        Square a = new Square(2), b = new Square(3);
        System.out.println(compare(a, b) + " " + a.self().side + " " + ((Shape) b).self().area());
        Object o = source;
        System.out.println(source.equals(o) + " " + (source.hashCode() == o.hashCode()));
        Runnable[] actions = new Runnable[3];
        for (int i = 0; i < actions.length; i++) {
            final int n = i;
            actions[i] = new Runnable() {
                int calls = n;
                @Override public void run() { System.out.println("action " + calls++ + " of " + getClass().getName()); }
            };
        }
        for (Runnable r : actions) { r.run(); r.run(); }
    }
}
