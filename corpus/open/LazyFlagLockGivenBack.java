// selvedge: library=open.LazyFlagLockGivenBack
// As LazyFlagInitialised, but the lock is given back between the test and the filling: two threads may find the flag
// unset, and the second fills while others already read.
package open;

import java.util.HashMap;
import java.util.Map;

public class LazyFlagLockGivenBack {
    private Map<String, String> table;
    private volatile boolean ready;

    public String get(String key) {
        if (!ready) {
            initialise();
        }
        return table.get(key); //~ RACE
    }

    private void initialise() {
        synchronized (this) {
            if (ready) {
                return;
            }
        }
        synchronized (this) {
            table = new HashMap<>(); //~ RACE
            table.put("a", "1"); //~ RACE
            ready = true; //~ NORACE: volatile
        }
    }
}
