// The twin in which each handler is given a lock of its own.
package locks;

public class SeparateLocksPassedIn {
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
                stats.requests++; //~ RACE
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Stats stats = new Stats();
        Thread a = new Thread(new Handler(new Object(), stats));
        Thread b = new Thread(new Handler(new Object(), stats));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
