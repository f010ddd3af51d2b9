// Lambdas with captures, and every kind of method reference.
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

public class Lambdas {
    static class Item {
        Object held;
        Item() {}
        Item(Object held) { this.held = held; }
        Object get() { return held; }
        Item with(Object other) { return new Item(other); }
        static Object unwrap(Item item) { return item.held; }
        private Object secret() { return this; }
        Supplier<Object> inside() { return this::secret; }
    }

    static class Special extends Item {
        Object get() { return this; }
        Supplier<Object> above() { return super::get; }
        Supplier<Object> nested() { return () -> (Supplier<Object>) () -> held; }
    }

    static Object sink;

    static <T, R> R apply(Function<T, R> function, T argument) { return function.apply(argument); }

    static <T, R> Function<T, R> same(Function<T, R> function) { return function; }

    public static void main(String[] arguments) {
        Object captured = new Object();
        Supplier<Object> lambda = () -> captured;
        sink = lambda.get();
        Supplier<Item> constructor = Item::new;
        Function<Object, Item> constructorOfOne = Item::new;
        Item item = constructorOfOne.apply(new Integer(1));
        Item empty = constructor.get();
        sink = apply(Item::get, item);
        sink = apply(Item::unwrap, empty);
        Function<Object, Item> bound = item::with;
        sink = bound.apply(empty);
        BiFunction<Item, Object, Item> unbound = Item::with;
        sink = unbound.apply(item, bound);
        IntFunction<Object[]> array = Object[]::new;
        Object[] made = array.apply(2);
        made[0] = same(Item::unwrap);
        Function<Integer, Object> boxed = number -> number;
        sink = boxed.apply(4);
        sink = item.inside().get();
        Special special = new Special();
        special.held = made;
        sink = special.above().get();
        sink = ((Supplier<?>) special.nested().get()).get();
        List<Object> list = new ArrayList<>();
        Consumer<Object> adder = list::add;
        adder.accept(special);
        list.forEach(each -> sink = each);
        Runnable recursive = () -> main(null);
        recursive.run();
    }
}
