// selvedge: library=open.ListenersChangedInPlace
// A volatile array of listeners that remove clears in place: the elements are not volatile.
package open;

import java.util.Arrays;

public class ListenersChangedInPlace {
    private volatile Runnable[] listeners = new Runnable[0];

    public synchronized void add(Runnable listener) {
        Runnable[] old = listeners;
        Runnable[] longer = Arrays.copyOf(old, old.length + 1); //~ NORACE: in the lock that the writers hold
        longer[old.length] = listener; //~ NORACE: nobody knows the copy yet
        listeners = longer; //~ NORACE: volatile
    }

    public synchronized void remove(Runnable listener) {
        for (int i = 0; i < listeners.length; i++) {
            if (listeners[i] == listener) { //~ NORACE: in the lock that the writers hold
                listeners[i] = null; //~ RACE
            }
        }
    }

    public void fire() {
        for (Runnable listener : listeners) { //~ RACE
            if (listener != null) {
                listener.run();
            }
        }
    }
}
