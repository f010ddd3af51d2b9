/** Interruption of sleeping, waiting, joining and running threads; the interrupted status. */
public class Interrupts {
    static final Object LOCK = new Object();
    static final StringBuffer LOG = new StringBuffer();

    interface Action { void run() throws InterruptedException; }

    static void interrupting(String what, Action action) throws InterruptedException {
        Thread t = new Thread(() -> {
            try {
                action.run();
                LOG.append(what).append(" not interrupted;");
            } catch (InterruptedException e) {
                LOG.append(what).append(" interrupted ").append(Thread.currentThread().isInterrupted()).append(';');
            }
        });
        t.start();
        t.interrupt();
        t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        interrupting("sleep", () -> Thread.sleep(100000));
        interrupting("wait", () -> { synchronized (LOCK) { LOCK.wait(); } });
        interrupting("join", () -> Thread.currentThread().join());
        interrupting("spin", () -> { while (!Thread.currentThread().isInterrupted()) Thread.yield(); });
        interrupting("clear", () -> { while (!Thread.interrupted()) Thread.onSpinWait(); Thread.sleep(1); });
        System.out.println(LOG);
        Thread.currentThread().interrupt();
        System.out.println(Thread.currentThread().isInterrupted() + " " + Thread.interrupted() + " " + Thread.interrupted());
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println("at once: " + e.getMessage());
        }
        Thread.sleep(1);
        long start = System.nanoTime();
        synchronized (LOCK) {
            LOCK.wait(3);
        }
        System.out.println(System.nanoTime() - start >= 3_000_000L);
    }
}
