package lib;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A class of a library with something of everything that a client may meet. */
public class Shelf<T extends Comparable<T>> extends Hidden implements Container<T> {
    public static final Shelf<String> SHARED = new Shelf<>(1);
    public enum Order { FIRST, LAST { @Override public Order other() { return FIRST; } }; public Order other() { return LAST; } }
    public record Label(String text, int number) { }
    public sealed interface Shape permits Round { }
    public static final class Round implements Shape { private Round() { } }

    /** Belongs to a shelf. */
    public class Board {
        public Board(int length, List<T> items) { }
        public Shelf<T> shelf() { return Shelf.this; }
        public class Nail { }
    }
    protected static class Internal { public void internal() { } }
    private class Secret { }
    public static abstract class Visitor { public abstract void visit(Shelf<?>.Board board); }

    public Shelf(int size) { }
    public Shelf(Collection<? extends T> items, Order... orders) throws IOException { }
    protected Shelf() { }
    Shelf(String hidden) { }

    public void put(T item) { }
    public T get(int index) { return null; }
    public Board board() { return new Board(1, null); }
    public Object[] toArray() { return null; }
    public <U> U[] toArray(U[] into) throws InterruptedException, IOException { return into; }
    public int[][] sizes(long[]... lengths) { return null; }
    public <K extends Enum<K> & Runnable> void both(K key, Map<K, ? super T> map) { }
    public <R> R with(Function<? super Shelf<T>, ? extends R> use) { return use.apply(this); }
    public void accept(Visitor visitor) { }
    public Shape shape(Label label) { return null; }
    public Hidden hidden() { return this; }
    public void takesHidden(Hidden hidden) { }
    protected void guarded() { }
    void own() { }
    public static <E extends Comparable<E>> Shelf<E> of(Container<E> container, E first) { return null; }
    public static <E extends Comparable<E>> Shelf<E> of(Container<E> container, Collection<? extends E> all) { return null; }
}
