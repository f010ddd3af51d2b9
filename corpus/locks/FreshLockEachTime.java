// A lock that is created for each call protects nothing.
package locks;

public class FreshLockEachTime {
    private int tickets = 100;

    void sell() {
        Object lock = new Object();
        synchronized (lock) {
            tickets--; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        FreshLockEachTime box = new FreshLockEachTime();
        Thread a = new Thread(box::sell);
        Thread b = new Thread(box::sell);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
