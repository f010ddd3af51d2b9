// selvedge: library=open.UnlockedCache
// A cache over a plain HashMap: put locks, get does not, "because it only reads".
package open;

import java.util.HashMap;
import java.util.Map;

public class UnlockedCache {
    private final Map<String, String> entries = new HashMap<>();
    private long hits;

    public String get(String key) {
        String value = entries.get(key); //~ RACE
        if (value != null) {
            hits++; //~ RACE
        }
        return value;
    }

    public synchronized void put(String key, String value) {
        entries.put(key, value); //~ RACE
    }
}
