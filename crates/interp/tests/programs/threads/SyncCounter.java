/** Counters guarded by synchronized methods, static ones, blocks on private locks: no update may be lost. */
public class SyncCounter {
    private int count;
    private static int statics;
    private long guarded;
    private final Object lock = new Object();

    synchronized void increment() { count++; }

    static synchronized void incrementStatic() { statics++; }

    void add(int n) {
        synchronized (lock) {
            long old = guarded;
            if (n % 4 == 0) Thread.yield();
            guarded = old + n;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        SyncCounter c = new SyncCounter();
        Thread[] threads = new Thread[5];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 1; i <= 40; i++) {
                    c.increment();
                    incrementStatic();
                    c.add(i);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(c.count + " " + statics + " " + c.guarded);
        StringBuffer sb = new StringBuffer();
        Runnable append = () -> { for (int i = 0; i < 20; i++) sb.append("ab"); };
        Thread a = new Thread(append), b = new Thread(append);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(sb.length() + " " + sb.toString().replace("ab", "").isEmpty());
    }
}
