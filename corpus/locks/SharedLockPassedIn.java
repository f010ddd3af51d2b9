// Two objects get the same lock from outside and guard a common statistics object with it.
package locks;

public class SharedLockPassedIn {
    static class Stats {
        int requests;
    }

    static class Handler implements Runnable {
        private final Object lock;
        private final Stats stats;

        Handler(Object lock, Stats stats) {
            this.lock = lock;
            this.stats = stats;
        }

        @Override
        public void run() {
            synchronized (lock) {
                stats.requests++; //~ NORACE: both handlers have the same lock
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Stats stats = new Stats();
        Thread a = new Thread(new Handler(lock, stats));
        Thread b = new Thread(new Handler(lock, stats));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(stats.requests);
    }
}
