// selvedge: library=open.LazyFlagUnlocked
// As LazyFlagInitialised, but nobody locks: two threads may both find the flag unset, and one reads while the
// other fills.
package open;

import java.util.HashMap;
import java.util.Map;

public class LazyFlagUnlocked {
    private Map<String, String> table;
    private volatile boolean ready;

    public String get(String key) {
        if (!ready) {
            table = new HashMap<>(); //~ RACE
            table.put("a", "1"); //~ RACE
            ready = true; //~ NORACE: volatile
        }
        return table.get(key); //~ RACE
    }
}
