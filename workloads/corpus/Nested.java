// Inner classes: member, local, anonymous, static nested, captured variables, outer calls, private access, inherited outers.

import java.util.*;

public class Nested {
    private int value = 1;
    private int bump() { return ++value; }

    class Member {
        private int own = bump();
        class Deeper {
            int sum() { return own + value + Nested.this.bump(); }
        }
    }

    static class Holder<T> {
        private final T held;
        private Holder(T held) { this.held = held; }
        private T get() { return held; }
    }

    abstract static class Template {
        final String run() { return before() + body() + after(); }
        protected String before() { return "<"; }
        protected abstract String body();
        protected String after() { return ">"; }
    }

    class Extended extends Member {
        Extended() { Nested.this.super(); }
        int twice() { return bump() * 2; }
    }

    Nested() { }

    Iterator<Integer> upTo(int limit) {
        class Local implements Iterator<Integer> {
            private int next;
            @Override public boolean hasNext() { return next < limit; }
            @Override public Integer next() { return next++ + value; }
        }
        return new Local();
    }

    static Template template(String text) {
        return new Template() {
            private final String doubled;
            { doubled = text + text; }
            @Override protected String body() { return doubled; }
            @Override protected String after() { return "|" + super.after(); }
        };
    }

    enum Operation {
        ADD { @Override int apply(int a, int b) { return a + b; } },
        MULTIPLY {
            @Override int apply(int a, int b) { return a * b; }
            @Override String symbol() { return "*"; }
        };
        abstract int apply(int a, int b);
        String symbol() { return name().toLowerCase(Locale.ROOT); }
    }

    public static void main(String[] args) {
        Nested nested = new Nested();
        Nested.Member.Deeper deeper = nested.new Member().new Deeper();
        System.out.println(deeper.sum() + " " + nested.new Extended().twice());
        Iterator<Integer> numbers = nested.upTo(3);
        while (numbers.hasNext()) System.out.print(numbers.next() + " ");
        System.out.println(template("t").run() + new Holder<>("h").get());
        for (Operation operation : Operation.values()) System.out.print(operation.symbol() + operation.apply(3, 4) + " ");
        switch (Operation.valueOf("ADD")) {
            case ADD -> System.out.println("add");
            default -> System.out.println("other");
        }
        EnumMap<Operation, Runnable> actions = new EnumMap<>(Operation.class);
        actions.put(Operation.MULTIPLY, new Runnable() {
            @Override public void run() { System.out.println("acting " + nested.value); }
        });
        actions.values().forEach(Runnable::run);
    }
}
