// selvedge: library=open.ObjectPool
// An object pool in which borrowing and returning lock, but the factory is replaced and the count is read without.
package open;

import java.util.ArrayDeque;
import java.util.Deque;

public class ObjectPool {
    interface Factory {
        Object make();
    }

    private final Deque<Object> idle = new ArrayDeque<>();
    private Factory factory = Object::new;
    private int active;

    public synchronized Object borrow() {
        active++; //~ RACE
        Object object = idle.poll(); //~ NORACE: guarded by this
        return object != null ? object : factory.make(); //~ RACE
    }

    public synchronized void giveBack(Object object) {
        active--; //~ RACE
        idle.push(object); //~ NORACE: guarded by this
    }

    public void useStrings() {
        factory = () -> "pooled"; //~ RACE
    }

    public int active() {
        return active; //~ RACE
    }
}
