// selvedge: library=open.ConcurrentCache
// The cache over a concurrent map with an adder for the hits.
package open;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

public class ConcurrentCache {
    private final ConcurrentHashMap<String, String> entries = new ConcurrentHashMap<>();
    private final LongAdder hits = new LongAdder();
    private volatile int limit = 100;

    public String get(String key) {
        String value = entries.get(key); //~ NORACE: a concurrent map
        if (value != null) {
            hits.increment(); //~ NORACE: a concurrent adder
        }
        return value;
    }

    public void put(String key, String value) {
        if (entries.size() < limit) { //~ NORACE: volatile
            entries.put(key, value); //~ NORACE: a concurrent map
        }
    }

    public void setLimit(int limit) {
        this.limit = limit; //~ NORACE: volatile
    }
}
