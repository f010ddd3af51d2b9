// selvedge: library=open.ListenerSupport
// Listener registration over a plain list: adding locks, firing iterates without the lock.
package open;

import java.util.ArrayList;
import java.util.List;

public class ListenerSupport {
    private final List<Runnable> listeners = new ArrayList<>();

    public synchronized void add(Runnable listener) {
        listeners.add(listener); //~ RACE
    }

    public void fire() {
        for (Runnable listener : listeners) { //~ RACE
            listener.run();
        }
    }
}
