import java.util.*;
import java.util.concurrent.*;

/** Timers, exchangers, synchronous and delayed queues, cached pools: hand-over between threads in every way. */
public class Handover {
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer();
        Object lock = new Object();
        int[] ticks = {0};
        timer.schedule(new TimerTask() {
            @Override public void run() {
                synchronized (lock) {
                    if (++ticks[0] == 3) {
                        timer.cancel();
                        lock.notify();
                    }
                }
            }
        }, 1, 2);
        synchronized (lock) {
            while (ticks[0] < 3) lock.wait();
        }
        System.out.println(ticks[0]);
        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[1];
        Thread other = new Thread(() -> {
            try {
                got[0] = exchanger.exchange("from other");
            } catch (InterruptedException e) {
                got[0] = "interrupted";
            }
        });
        other.start();
        System.out.println(exchanger.exchange("from main"));
        other.join();
        System.out.println(got[0]);
        SynchronousQueue<Integer> direct = new SynchronousQueue<>();
        Thread giver = new Thread(() -> {
            try {
                for (int i = 0; i < 3; i++) direct.put(i);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        giver.start();
        System.out.println(direct.take() + direct.take() + direct.take() + " " + direct.offer(9));
        LinkedTransferQueue<String> transfer = new LinkedTransferQueue<>();
        Thread taker = new Thread(() -> {
            try {
                System.out.println("took " + transfer.take());
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        taker.start();
        transfer.transfer("it");
        taker.join();
        PriorityBlockingQueue<Integer> ordered = new PriorityBlockingQueue<>(List.of(5, 1, 3));
        System.out.println(ordered.take() + " " + ordered.poll(1, TimeUnit.MILLISECONDS) + " " + ordered.size());
        ExecutorService cached = Executors.newCachedThreadPool();
        CompletionService<Integer> completion = new ExecutorCompletionService<>(cached);
        for (int i = 1; i <= 4; i++) {
            int n = i;
            completion.submit(() -> n * n);
        }
        int sum = 0;
        for (int i = 0; i < 4; i++) sum += completion.take().get();
        System.out.println(sum);
        List<Callable<String>> same = List.of(() -> "any", () -> "any");
        System.out.println(cached.invokeAny(same));
        cached.shutdown();
        System.out.println(cached.awaitTermination(100, TimeUnit.SECONDS));
    }
}
