// The condition is set under the monitor before the data is written: who sees the condition may be ahead of the data.
package order;

public class WaitNotifyTooEarly {
    private final Object lock = new Object();
    private boolean ready;
    private int[] result;

    void compute() {
        synchronized (lock) {
            ready = true; //~ NORACE: guarded by lock
            lock.notifyAll();
        }
        result = new int[] {4, 5}; //~ RACE: after the condition was set
    }

    int use() throws InterruptedException {
        synchronized (lock) {
            while (!ready) { //~ NORACE: guarded by lock
                lock.wait();
            }
        }
        return result == null ? 0 : 1; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        WaitNotifyTooEarly job = new WaitNotifyTooEarly();
        Thread worker = new Thread(job::compute);
        worker.start();
        System.out.println(job.use() >= 0);
        worker.join();
    }
}
