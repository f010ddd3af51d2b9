// The only write holds a lock, but each of the two threads locks an object of its own.
package papers;

public class UsesOwnLocks extends Thread {
    static class Shared {
        int i;
    }

    static Shared field;

    public static void main(String[] args) {
        field = new Shared(); //~ NORACE: before the threads start
        for (int n = 0; n < 2; n++) {
            new UsesOwnLocks().start();
        }
    }

    @Override
    public void run() {
        synchronized (new Object()) {
            field.i = 1; //~ RACE
        }
    }
}
