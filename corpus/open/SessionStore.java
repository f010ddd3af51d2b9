// selvedge: library=open.SessionStore
// Every method locks the store but the one that the monitoring page calls.
package open;

import java.util.HashMap;
import java.util.Map;

public class SessionStore {
    private final Map<String, String> sessions = new HashMap<>();
    private int opened;

    public synchronized void open(String id, String user) {
        sessions.put(id, user); //~ RACE
        opened++; //~ RACE
    }

    public synchronized String user(String id) {
        return sessions.get(id); //~ NORACE: no writer without the lock
    }

    public String status() {
        return sessions.size() + " of " + opened; //~ RACE
    }
}
