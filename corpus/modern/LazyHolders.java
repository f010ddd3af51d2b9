// selvedge: library=modern.LazyHolders
// Lazily made values: by a holder class, by an enum, by a memoizing supplier with a lock, by computeIfAbsent.
package modern;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

public class LazyHolders {
    private final Map<String, List<String>> byName = new ConcurrentHashMap<>();
    private final Supplier<List<String>> once = memoize(LazyHolders::load);

    public int size() {
        return Holder.TABLE.size() + Registry.INSTANCE.names.size() + once.get().size(); //~ NORACE: made once
    }

    public List<String> named(String name) {
        return List.copyOf(byName.computeIfAbsent(name, key -> load())); //~ NORACE: read only once in the map
    }

    private static List<String> load() {
        List<String> all = new ArrayList<>();
        all.add("a"); //~ NORACE: nobody knows the list yet
        all.add("b"); //~ NORACE: nobody knows the list yet
        return all;
    }

    static <T> Supplier<T> memoize(Supplier<T> inner) {
        return new Supplier<>() {
            private T value;

            @Override
            public synchronized T get() {
                if (value == null) { //~ NORACE: guarded by this
                    value = inner.get(); //~ NORACE: guarded by this
                }
                return value; //~ NORACE: guarded by this
            }
        };
    }

    private static final class Holder {
        static final List<String> TABLE = load();
    }

    private enum Registry {
        INSTANCE;

        private final List<String> names = new ArrayList<>();

        Registry() {
            names.add("first"); //~ NORACE: class initialisation
        }
    }
}
