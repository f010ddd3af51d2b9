/** Threads: start, join, names, liveness, results through fields, a thread that starts threads. */
public class StartJoin {
    static class Worker extends Thread {
        final int from, to;
        long sum;
        Worker(int from, int to) { super("worker-" + from); this.from = from; this.to = to; }
        @Override public void run() {
            for (int i = from; i < to; i++) sum += (long) i * i;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Worker[] workers = new Worker[4];
        for (int i = 0; i < workers.length; i++) (workers[i] = new Worker(i * 50, (i + 1) * 50)).start();
        long total = 0;
        for (Worker w : workers) {
            w.join();
            total += w.sum;
            System.out.println(w.getName() + " " + w.isAlive() + " " + w.getState());
        }
        System.out.println(total);
        Thread t = new Thread(() -> System.out.println("in " + Thread.currentThread().getName()), "custom");
        System.out.println(t.getState() + " " + t.isDaemon() + " " + t.getPriority());
        t.start();
        t.join();
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started twice");
        }
        StringBuffer order = new StringBuffer();
        Thread outer = new Thread(() -> {
            order.append("outer ");
            Thread inner = new Thread(() -> order.append("inner "));
            inner.start();
            try {
                inner.join();
            } catch (InterruptedException e) {
                order.append("interrupted");
            }
            order.append("end");
        });
        outer.start();
        outer.join();
        System.out.println(order + " " + Thread.currentThread().getName());
        t.join(10);
        Thread runs = new Thread();
        runs.run();
        runs.start();
        runs.join();
        System.out.println(runs.getState());
    }
}
