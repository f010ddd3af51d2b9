// selvedge: library=open.PairOfObjects
// equals locks this object only and reads the other one's field: the other's setter holds another monitor.
package open;

public class PairOfObjects {
    private int value;

    public synchronized void set(int value) {
        this.value = value; //~ RACE
    }

    public synchronized boolean sameAs(PairOfObjects other) {
        int mine = value; //~ NORACE: guarded by this
        return mine == other.value; //~ RACE: the other object's lock is not held
    }
}
