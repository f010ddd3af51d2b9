// selvedge: library=open.LazyFlagInitialised
// Lazy initialisation with a volatile flag beside plain fields: they are written under the lock before the flag is
// set, and read only once the flag is seen.
package open;

import java.util.HashMap;
import java.util.Map;

public class LazyFlagInitialised {
    private Map<String, String> table;
    private int size;
    private volatile boolean ready;

    public String get(String key) {
        if (!ready) {
            initialise();
        }
        return table.get(key); //~ NORACE: after the flag was seen
    }

    public int size() {
        if (!ready) {
            initialise();
        }
        return size; //~ NORACE: after the flag was seen
    }

    private synchronized void initialise() {
        if (ready) {
            return;
        }
        table = new HashMap<>(); //~ NORACE: the flag is not set yet
        table.put("a", "1"); //~ NORACE: the flag is not set yet
        size = table.size(); //~ NORACE: the flag is not set yet
        ready = true; //~ NORACE: volatile
    }
}
