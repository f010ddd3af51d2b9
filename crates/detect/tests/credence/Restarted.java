package credence;

/** A thread that is made again after the last one: what its constructor sets, and what is set later. */
public class Restarted {
    private final Object lock = new Object();
    private Object doubtedMonitor;
    private Object credibleMonitor;
    private volatile Worker worker;

    private class Worker extends Thread {
        Worker() {
            doubtedMonitor = new Object();
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            System.out.println(doubtedMonitor);
            System.out.println(credibleMonitor);
            synchronized (lock) {
                worker = null;
            }
        }
    }

    public void update() {
        synchronized (lock) {
            if (worker == null) {
                worker = new Worker();
            }
        }
        credibleMonitor = new Object();
    }

    /** Those that others make update theirs, too. */
    public static class Group {
        private final Restarted first = new Restarted();
        private final Restarted second = new Restarted();

        public void update() {
            first.update();
            second.update();
        }
    }
}
