import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Synchronisers: CountDownLatch, CyclicBarrier, Semaphore, Exchanger-like handover, Phaser. */
public class Latches {
    public static void main(String[] args) throws Exception {
        CountDownLatch start = new CountDownLatch(1), done = new CountDownLatch(3);
        AtomicInteger before = new AtomicInteger(), after = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                before.incrementAndGet();
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                after.incrementAndGet();
                done.countDown();
            }).start();
        }
        System.out.println("not yet " + after.get());
        start.countDown();
        done.await();
        System.out.println(before + " " + after + " " + done.getCount());
        int parties = 3;
        int[] rounds = new int[4];
        StringBuffer log = new StringBuffer();
        CyclicBarrier barrier = new CyclicBarrier(parties, () -> log.append('|'));
        Thread[] threads = new Thread[parties];
        for (int t = 0; t < parties; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int r = 0; r < rounds.length; r++) {
                        synchronized (rounds) { rounds[r] += me + 1; }
                        log.append('.');
                        barrier.await();
                        int seen;
                        synchronized (rounds) { seen = rounds[r]; }
                        if (seen != 6) System.out.println("barrier broken");
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    System.out.println(e);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(log);
        Semaphore permits = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger(), most = new AtomicInteger();
        Thread[] users = new Thread[5];
        for (int t = 0; t < users.length; t++) {
            (users[t] = new Thread(() -> {
                try {
                    permits.acquire();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    permits.release();
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
            })).start();
        }
        for (Thread t : users) t.join();
        System.out.println((most.get() <= 2) + " " + permits.availablePermits() + " " + permits.tryAcquire(3) + permits.tryAcquire(2));
        Phaser phaser = new Phaser(1);
        StringBuffer phases = new StringBuffer();
        for (int t = 0; t < 2; t++) {
            phaser.register();
            new Thread(() -> {
                phases.append('a');
                phaser.arriveAndAwaitAdvance();
                phases.append('b');
                phaser.arriveAndDeregister();
            }).start();
        }
        phaser.arriveAndAwaitAdvance();
        phaser.arriveAndAwaitAdvance();
        System.out.println(phases + " " + phaser.getPhase() + " " + phaser.getRegisteredParties());
    }
}
