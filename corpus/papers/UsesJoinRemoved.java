// The five phases without the join: the last access of main races with the thread's.
package papers;

public class UsesJoinRemoved extends Thread {
    static class Shared {
        int i;
    }

    static Shared field;
    static final Object LOCK = new Object();

    public static void main(String[] args) {
        Shared local = new Shared();
        local.i++; //~ NORACE: not escaped yet
        field = local; //~ NORACE: before the thread starts
        field.i++; //~ NORACE: escaped, but no other thread yet
        Thread thread = new UsesJoinRemoved();
        thread.start();
        synchronized (LOCK) {
            field.i++; //~ NORACE: guarded by LOCK
        }
        field.i++; //~ RACE
    }

    @Override
    public void run() {
        synchronized (LOCK) {
            field.i++; //~ RACE
        }
    }
}
