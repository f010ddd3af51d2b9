// selvedge: library=modern.ValueRecordsThroughMap
// Records as keys and values, an enum map in a record that is copied, an interface with sealed implementations:
// nothing changes once made.
package modern;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ValueRecordsThroughMap {
    enum Level { LOW, HIGH }

    record Key(String name, int part) {
    }

    record Value(Map<Level, Integer> limits, List<String> notes) {
        Value {
            limits = Map.copyOf(limits);
            notes = List.copyOf(notes);
        }
    }

    private final Map<Key, Value> values = new ConcurrentHashMap<>();

    public void define(String name, int part, int limit) {
        Map<Level, Integer> limits = new EnumMap<>(Level.class);
        limits.put(Level.LOW, limit); //~ NORACE: local
        limits.put(Level.HIGH, limit * 2); //~ NORACE: local
        values.put(new Key(name, part), new Value(limits, List.of("defined")));
    }

    public int limit(String name, int part, boolean high) {
        Value value = values.get(new Key(name, part));
        return value == null ? 0 : value.limits().get(high ? Level.HIGH : Level.LOW); //~ NORACE: immutable
    }
}
