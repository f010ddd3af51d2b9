// Only the condition is under the monitor; the data is written before and read after: the monitor orders it.
package order;

public class WaitNotifyThenUse {
    private final Object lock = new Object();
    private boolean ready;
    private int[] result;

    void compute() {
        result = new int[] {4, 5}; //~ NORACE: before the monitor is released with ready set
        synchronized (lock) {
            ready = true; //~ NORACE: guarded by lock
            lock.notifyAll();
        }
    }

    int use() throws InterruptedException {
        synchronized (lock) {
            while (!ready) { //~ NORACE: guarded by lock
                lock.wait();
            }
        }
        return result[0]; //~ NORACE: after ready was seen under lock
    }

    public static void main(String[] args) throws Exception {
        WaitNotifyThenUse job = new WaitNotifyThenUse();
        Thread worker = new Thread(job::compute);
        worker.start();
        System.out.println(job.use());
        worker.join();
    }
}
