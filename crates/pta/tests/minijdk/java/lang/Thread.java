package java.lang;

public class Thread implements Runnable {
    private Runnable target;
    public Thread() {}
    public Thread(Runnable target) { this.target = target; }
    public void run() {
        if (target != null) {
            target.run();
        }
    }
    public synchronized void start() { start0(); }
    private native void start0();
    public final void join() throws InterruptedException {}
    public static native Thread currentThread();
}
