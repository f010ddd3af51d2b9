// selvedge: library=open.PoolOfQueues
// A pool keeps queues by key in a map, and items in the queues: the pool guards everything, through all the layers.
package open;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

public class PoolOfQueues {
    private final Map<String, Queue> queues = new HashMap<>();
    private int total;

    private class Queue {
        private int active;
        private final Deque<Item> idle = new ArrayDeque<>();

        void activate() {
            active++; //~ NORACE: guarded by the pool
            total++; //~ NORACE: guarded by the pool
        }
    }

    private static class Item {
        int uses;
        final Object value;

        Item(Object value) {
            this.value = value;
        }
    }

    public Object borrow(String key) {
        synchronized (this) {
            Queue queue = queues.get(key); //~ NORACE: guarded by this
            if (queue == null || queue.idle.isEmpty()) { //~ NORACE: guarded by the pool
                return null;
            }
            Item item = queue.idle.removeFirst(); //~ NORACE: guarded by the pool
            item.uses++; //~ NORACE: guarded by the pool
            queue.activate();
            return item.value;
        }
    }

    public synchronized void give(String key, Object value) {
        Queue queue = queues.get(key); //~ NORACE: guarded by this
        if (queue == null) {
            queue = new Queue();
            queues.put(key, queue); //~ NORACE: guarded by this
        }
        queue.idle.addLast(new Item(value)); //~ NORACE: guarded by the pool
    }

    public synchronized int uses() {
        int sum = total; //~ NORACE: guarded by this
        for (Queue queue : queues.values()) { //~ NORACE: guarded by this
            sum += queue.active; //~ NORACE: guarded by the pool
            Iterator<Item> items = queue.idle.iterator(); //~ NORACE: guarded by the pool
            while (items.hasNext()) { //~ NORACE: guarded by the pool
                sum += items.next().uses; //~ NORACE: guarded by the pool
            }
        }
        return sum;
    }
}
