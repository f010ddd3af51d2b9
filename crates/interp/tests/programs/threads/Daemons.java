import java.util.concurrent.CountDownLatch;

/** The program ends although daemon threads still run; handlers of uncaught exceptions; groups. */
public class Daemons {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread forever = new Thread(() -> {
            started.countDown();
            synchronized (Daemons.class) {
                while (true) {
                    try {
                        Daemons.class.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        });
        forever.setDaemon(true);
        forever.start();
        started.await();
        System.out.println(forever.isDaemon() + " " + forever.isAlive());
        Thread failing = new Thread(() -> { throw new IllegalStateException("thread failed"); }, "failing");
        failing.setUncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + ": " + e.getMessage()));
        failing.start();
        failing.join();
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("default: " + e));
        Thread second = new Thread(() -> { Object o = null; synchronized (o) { } }, "second");
        second.setUncaughtExceptionHandler((t, e) -> System.out.println(e.getClass().getName()));
        second.start();
        second.join();
        Thread third = new Thread(() -> { throw new Error("third"); });
        third.start();
        third.join();
        System.out.println(Thread.currentThread().getThreadGroup().getName() + " " + second.isAlive());
    }
}
