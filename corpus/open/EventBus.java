// selvedge: library=open.EventBus
// Listeners by topic: a concurrent map of copy-on-write lists needs no lock.
package open;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

public class EventBus {
    private final ConcurrentHashMap<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

    public void on(String topic, Runnable listener) {
        listeners.computeIfAbsent(topic, key -> new CopyOnWriteArrayList<>()).add(listener); //~ NORACE
    }

    public void fire(String topic) {
        for (Runnable listener : listeners.getOrDefault(topic, List.of())) { //~ NORACE: the list is safe
            listener.run();
        }
    }
}
