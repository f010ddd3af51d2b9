// selvedge: library=open.ListenerSnapshot
// Firing takes a copy under the lock and iterates over the copy: the private copy needs no lock.
package open;

import java.util.ArrayList;
import java.util.List;

public class ListenerSnapshot {
    private final List<Runnable> listeners = new ArrayList<>();

    public synchronized void add(Runnable listener) {
        listeners.add(listener); //~ NORACE: guarded by this
    }

    public void fire() {
        List<Runnable> copy;
        synchronized (this) {
            copy = new ArrayList<>(listeners); //~ NORACE: guarded by this
        }
        for (Runnable listener : copy) { //~ NORACE: the caller's own copy
            listener.run();
        }
    }
}
