// selvedge: library=open.LazyFlagReset
// As LazyFlagInitialised, but the data can be made anew: whoever has seen the flag may read while another thread fills.
package open;

import java.util.HashMap;
import java.util.Map;

public class LazyFlagReset {
    private Map<String, String> table;
    private volatile boolean ready;

    public String get(String key) {
        if (!ready) {
            initialise();
        }
        return table.get(key); //~ RACE
    }

    public void reset() {
        ready = false; //~ NORACE: volatile
    }

    private synchronized void initialise() {
        if (ready) {
            return;
        }
        table = new HashMap<>(); //~ RACE
        table.put("a", "1"); //~ RACE
        ready = true; //~ NORACE: volatile
    }
}
