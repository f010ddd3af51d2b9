import java.util.*;
import java.util.function.Function;

/** Generics: bounded types, bridges, wildcard methods, generic arrays, recursive bounds, type-safe containers. */
public class GenericCode {
    static class Pair<A extends Comparable<A>, B> implements Comparable<Pair<A, B>> {
        final A first;
        final B second;
        Pair(A first, B second) { this.first = first; this.second = second; }
        public int compareTo(Pair<A, B> o) { return first.compareTo(o.first); }
        <C> Pair<A, C> map(Function<? super B, ? extends C> f) { return new Pair<>(first, f.apply(second)); }
        @Override public String toString() { return "(" + first + ", " + second + ")"; }
        @Override public boolean equals(Object o) { return o instanceof Pair<?, ?> p && p.first.equals(first) && Objects.equals(p.second, second); }
        @Override public int hashCode() { return 31 * first.hashCode() + Objects.hashCode(second); }
    }

    static class Stack<T> implements Iterable<T> {
        private T[] items;
        private int size;

        @SuppressWarnings("unchecked")
        Stack() { items = (T[]) new Object[2]; }

        void push(T item) {
            if (size == items.length) items = Arrays.copyOf(items, size * 2);
            items[size++] = item;
        }

        T pop() {
            if (size == 0) throw new NoSuchElementException("empty stack");
            T top = items[--size];
            items[size] = null;
            return top;
        }

        public Iterator<T> iterator() {
            return new Iterator<>() {
                int at = size;
                public boolean hasNext() { return at > 0; }
                public T next() { return items[--at]; }
            };
        }
    }

    static abstract class Animal<S extends Animal<S>> {
        abstract S self();
        int age;
        S aged(int years) { age += years; return self(); }
    }

    static class Cat extends Animal<Cat> {
        Cat self() { return this; }
        String meow() { return "meow" + age; }
    }

    static <T extends Comparable<? super T>> T max(Collection<? extends T> all) {
        Iterator<? extends T> it = all.iterator();
        T best = it.next();
        while (it.hasNext()) {
            T next = it.next();
            if (next.compareTo(best) > 0) best = next;
        }
        return best;
    }

    static double total(List<? extends Number> numbers) {
        double sum = 0;
        for (Number n : numbers) sum += n.doubleValue();
        return sum;
    }

    static void fill(List<? super Integer> sink) {
        for (int i = 0; i < 3; i++) sink.add(i);
    }

    @SafeVarargs
    static <T> List<T> listOf(T... items) {
        return new ArrayList<>(Arrays.asList(items));
    }

    public static void main(String[] args) {
        List<Pair<String, Integer>> pairs = listOf(new Pair<>("b", 2), new Pair<>("a", 1), new Pair<>("c", null));
        Collections.sort(pairs);
        System.out.println(pairs + " " + max(pairs) + " " + pairs.get(0).map(x -> x + 0.5));
        System.out.println(new Pair<>("a", 1).equals(pairs.get(0)) + " " + (new Pair<>("a", 1).hashCode() == pairs.get(0).hashCode()));
        Stack<String> stack = new Stack<>();
        for (String s : "to be or not to be".split(" ")) stack.push(s);
        for (String s : stack) System.out.print(s + " ");
        System.out.println(stack.pop() + stack.pop().length());
        try {
            new Stack<Integer>().pop();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Cat().aged(2).aged(3).meow());
        List<Number> sink = new ArrayList<>(List.of(1.5, 2L));
        fill(sink);
        System.out.println(total(sink) + " " + sink);
        Map<String, List<Pair<Integer, String>>> index = new TreeMap<>();
        for (String w : new String[]{"one", "two", "three", "four"})
            index.computeIfAbsent(w.substring(0, 1), k -> new ArrayList<>()).add(new Pair<>(w.length(), w));
        System.out.println(index);
    }
}
