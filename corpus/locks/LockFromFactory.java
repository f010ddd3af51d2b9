// One allocation site, two locks: the lock is made in a factory method that each handler calls.
package locks;

public class LockFromFactory {
    private static int served;

    static Object newLock() {
        return new Object();
    }

    static class Handler implements Runnable {
        private final Object lock = newLock();

        @Override
        public void run() {
            synchronized (lock) {
                served++; //~ RACE
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(new Handler());
        Thread b = new Thread(new Handler());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
