// The lock lives in a field that is replaced on reset: two threads may lock different objects.
package locks;

public class LockFieldReassigned {
    private volatile Object lock = new Object();
    private int value;

    void add() {
        synchronized (lock) {
            value++; //~ RACE
        }
    }

    void reset() {
        lock = new Object();
        synchronized (lock) {
            value = 0; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        LockFieldReassigned counter = new LockFieldReassigned();
        Thread adder = new Thread(counter::add);
        adder.start();
        counter.reset();
        adder.join();
    }
}
