// selvedge: library=open.ObjectPoolLocked
// The object pool with all public methods synchronized.
package open;

import java.util.ArrayDeque;
import java.util.Deque;

public class ObjectPoolLocked {
    private final Deque<Object> idle = new ArrayDeque<>();
    private int active;
    private int limit = 8;

    public synchronized Object borrow() {
        if (active == limit) { //~ NORACE: guarded by this
            throw new IllegalStateException("exhausted");
        }
        active++; //~ NORACE: guarded by this
        Object object = idle.poll(); //~ NORACE: guarded by this
        return object != null ? object : new Object();
    }

    public synchronized void giveBack(Object object) {
        active--; //~ NORACE: guarded by this
        idle.push(object); //~ NORACE: guarded by this
    }

    public synchronized void setLimit(int limit) {
        this.limit = limit; //~ NORACE: guarded by this
    }

    public synchronized int active() {
        return active; //~ NORACE: guarded by this
    }
}
