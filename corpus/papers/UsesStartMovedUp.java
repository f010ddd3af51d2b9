// The five phases with the thread started before main's unlocked access to the escaped object.
package papers;

public class UsesStartMovedUp extends Thread {
    static class Shared {
        int i;
    }

    static Shared field;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Shared local = new Shared();
        local.i++; //~ NORACE: not escaped yet
        field = local; //~ NORACE: before the thread starts
        Thread thread = new UsesStartMovedUp();
        thread.start();
        field.i++; //~ RACE
        synchronized (LOCK) {
            field.i++; //~ NORACE: guarded by LOCK
        }
        thread.join();
        field.i++; //~ NORACE: after the join
    }

    @Override
    public void run() {
        synchronized (LOCK) {
            field.i++; //~ RACE
        }
    }
}
