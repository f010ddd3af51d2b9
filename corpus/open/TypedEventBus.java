// selvedge: library=open.TypedEventBus
// An event bus by type with copy-on-write lists of listeners; a subscription can be cancelled once.
package open;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

public class TypedEventBus {
    private final Map<Class<?>, List<Consumer<Object>>> listeners = new ConcurrentHashMap<>();

    public <T> AutoCloseable subscribe(Class<T> type, Consumer<? super T> listener) {
        Consumer<Object> adapter = event -> listener.accept(type.cast(event));
        List<Consumer<Object>> all = listeners.computeIfAbsent(type, key -> new CopyOnWriteArrayList<>());
        all.add(adapter);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                all.remove(adapter);
            }
        };
    }

    public int publish(Object event) {
        int delivered = 0;
        List<Consumer<Object>> all = listeners.get(event.getClass());
        if (all != null) {
            for (Consumer<Object> listener : all) { //~ NORACE: iterates over a snapshot
                listener.accept(event);
                delivered++; //~ NORACE: local
            }
        }
        return delivered;
    }
}
