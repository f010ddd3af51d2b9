// selvedge: library=open.PoolOfQueuesUnguarded
// The same pool, but one method looks at the map and at an item without the lock of the pool.
package open;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class PoolOfQueuesUnguarded {
    private final Map<String, List<Item>> queues = new HashMap<>();

    private static class Item {
        int uses;
    }

    public synchronized void give(String key) {
        List<Item> queue = queues.get(key); //~ NORACE: two reads of the map do not race
        if (queue == null) {
            queue = new ArrayList<>();
            queues.put(key, queue); //~ RACE
        }
        queue.add(new Item()); //~ RACE
        queue.get(0).uses++; //~ RACE
    }

    public int uses(String key) {
        List<Item> queue = queues.get(key); //~ RACE
        return queue == null ? 0 : queue.get(0).uses; //~ RACE
    }
}
