// selvedge: library=open.LazyFlagTooEarly
// As LazyFlagInitialised, but the flag is set first.
package open;

import java.util.HashMap;
import java.util.Map;

public class LazyFlagTooEarly {
    private Map<String, String> table;
    private volatile boolean ready;

    public String get(String key) {
        if (!ready) {
            initialise();
        }
        return table.get(key); //~ RACE
    }

    private synchronized void initialise() {
        if (ready) {
            return;
        }
        ready = true; //~ NORACE: volatile
        table = new HashMap<>(); //~ RACE
        table.put("a", "1"); //~ RACE
    }
}
