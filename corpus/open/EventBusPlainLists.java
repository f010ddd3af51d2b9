// selvedge: library=open.EventBusPlainLists
// Listeners by topic: the map is concurrent, the lists in it are not.
package open;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class EventBusPlainLists {
    private final ConcurrentHashMap<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

    public void on(String topic, Runnable listener) {
        listeners.computeIfAbsent(topic, key -> new ArrayList<>()).add(listener); //~ RACE
    }

    public void fire(String topic) {
        for (Runnable listener : listeners.getOrDefault(topic, List.of())) { //~ RACE
            listener.run();
        }
    }
}
