// The five phases with two threads from one line, of which only the last is joined.
package papers;

public class UsesTwoThreads extends Thread {
    static class Shared {
        int i;
    }

    static Shared field;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Shared local = new Shared();
        local.i++; //~ NORACE: not escaped yet
        field = local; //~ NORACE: before the threads start
        field.i++; //~ NORACE: escaped, but no other thread yet
        Thread thread = null;
        for (int n = 0; n < 2; n++) {
            thread = new UsesTwoThreads();
            thread.start();
        }
        synchronized (LOCK) {
            field.i++; //~ NORACE: guarded by LOCK
        }
        thread.join();
        field.i++; //~ RACE: the first thread may still run
    }

    @Override
    public void run() {
        synchronized (LOCK) {
            field.i++; //~ RACE
        }
    }
}
