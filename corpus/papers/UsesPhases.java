// One object in five phases: made, escaped but no thread yet, beside a running thread under a lock, after the join.
// Every access is safe, each for a reason of its own.
package papers;

public class UsesPhases extends Thread {
    static class Shared {
        int i;

        Shared() {
            i = 0; //~ NORACE: in the constructor
        }
    }

    static Shared field;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Shared local = new Shared();
        local.i++; //~ NORACE: not escaped yet
        field = local; //~ NORACE: before the thread starts
        field.i++; //~ NORACE: escaped, but no other thread yet
        Thread thread = new UsesPhases();
        thread.start();
        synchronized (LOCK) {
            field.i++; //~ NORACE: guarded by LOCK
        }
        thread.join();
        field.i++; //~ NORACE: after the join
        System.out.println(field.i);
    }

    @Override
    public void run() {
        synchronized (LOCK) {
            field.i++; //~ NORACE: guarded by LOCK
        }
    }
}
