// The five phases with the lock dropped in the thread: its access races with the one that main makes under the lock.
package papers;

public class UsesLockDropped extends Thread {
    static class Shared {
        int i;
    }

    static Shared field;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Shared local = new Shared();
        local.i++; //~ NORACE: not escaped yet
        field = local; //~ NORACE: before the thread starts
        field.i++; //~ NORACE: escaped, but no other thread yet
        Thread thread = new UsesLockDropped();
        thread.start();
        synchronized (LOCK) {
            field.i++; //~ RACE
        }
        thread.join();
        field.i++; //~ NORACE: after the join
    }

    @Override
    public void run() {
        field.i++; //~ RACE
    }
}
