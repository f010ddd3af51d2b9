// selvedge: library=open.ListenersCopiedByHand
// Copy-on-write by hand: a volatile array that is never changed in place; writers copy it under a lock.
package open;

import java.util.Arrays;

public class ListenersCopiedByHand {
    private volatile Runnable[] listeners = new Runnable[0];

    public synchronized void add(Runnable listener) {
        Runnable[] old = listeners;
        Runnable[] longer = Arrays.copyOf(old, old.length + 1);
        longer[old.length] = listener; //~ NORACE: nobody knows the copy yet
        listeners = longer; //~ NORACE: volatile
    }

    public synchronized void remove(Runnable listener) {
        Runnable[] old = listeners;
        Runnable[] rest = new Runnable[Math.max(0, old.length - 1)];
        int kept = 0;
        for (Runnable one : old) { //~ NORACE: arrays are not changed once published
            if (one != listener && kept < rest.length) {
                rest[kept++] = one; //~ NORACE: nobody knows the copy yet
            }
        }
        listeners = rest; //~ NORACE: volatile
    }

    public void fire() {
        for (Runnable listener : listeners) { //~ NORACE: arrays are not changed once published
            if (listener != null) {
                listener.run();
            }
        }
    }
}
