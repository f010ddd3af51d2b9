import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Message passing: what is written before a signal and read after it. */
public class Signalling {
    static int safeFlag, racyAfterFlag, racyUntested, safeAtomic;
    static volatile boolean ready;
    static final AtomicBoolean DONE = new AtomicBoolean();

    static class Flags {
        public static void main(String[] args) {
            new Thread(() -> {
                safeFlag = 1;
                ready = true;
                racyAfterFlag = 1;
            }).start();
            new Thread(() -> {
                racyUntested = 1;
                safeAtomic = 1;
                DONE.set(true);
            }).start();
            while (!ready) {
                Thread.onSpinWait();
            }
            System.out.println(safeFlag + racyAfterFlag);
            boolean seen = DONE.get();
            System.out.println(racyUntested);
            if (seen) {
                System.out.println(safeAtomic);
            }
        }
    }

    static int racyFromStart;

    static class FromStart {
        public static void main(String[] args) {
            AtomicBoolean open = new AtomicBoolean(true);
            new Thread(() -> {
                racyFromStart = 1;
                open.set(true);
            }).start();
            if (open.get()) {
                System.out.println(racyFromStart);
            }
        }
    }

    static int safeGate, likelyLatch, racyLatch, safePermit, racyPermit;

    static class Latches {
        public static void main(String[] args) throws Exception {
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(3);
            CountDownLatch tooFew = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                new Thread(() -> {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    System.out.println(safeGate + likelyLatch + racyLatch);
                    done.countDown();
                    tooFew.countDown();
                }).start();
            }
            safeGate = 1;
            gate.countDown();
            done.await();
            likelyLatch = 1;
            tooFew.await();
        }
    }

    static class TooFew {
        public static void main(String[] args) throws Exception {
            CountDownLatch tooFew = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                new Thread(() -> {
                    System.out.println(racyLatch);
                    tooFew.countDown();
                }).start();
            }
            tooFew.await();
            racyLatch = 1;
        }
    }

    static class Permits {
        public static void main(String[] args) throws Exception {
            Semaphore none = new Semaphore(0);
            Semaphore one = new Semaphore(1);
            new Thread(() -> {
                safePermit = 1;
                racyPermit = 1;
                none.release();
                one.release();
            }).start();
            one.acquire();
            System.out.println(racyPermit);
            none.acquire();
            System.out.println(safePermit);
        }
    }

    static int safeWorker, safePeriodic, racyPeriodicStarts;

    static class Workers {
        public static void main(String[] args) {
            ExecutorService worker = Executors.newSingleThreadExecutor();
            for (int i = 0; i < 3; i++) {
                worker.execute(() -> safeWorker++);
            }
            worker.execute(() -> safeWorker++);
            ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
            clock.scheduleAtFixedRate(() -> {
                safePeriodic++;
                new Thread(() -> racyPeriodicStarts++).start();
            }, 0, 1, TimeUnit.SECONDS);
        }
    }
}
