// The lock and the slot are chosen by the same index, but somebody puts new locks into the array meanwhile.
package locks;

public class LockStripingReplaced {
    private final Object[] locks = {new Object(), new Object()};
    private final int[] counts = new int[2];

    void count(int key) {
        int stripe = key & 1;
        synchronized (locks[stripe]) { //~ RACE: with the new locks
            counts[stripe]++; //~ RACE
        }
    }

    void renew() {
        locks[0] = new Object(); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        LockStripingReplaced counter = new LockStripingReplaced();
        Thread a = new Thread(() -> counter.count(2));
        Thread b = new Thread(() -> counter.count(4));
        a.start();
        b.start();
        counter.renew();
        a.join();
        b.join();
    }
}
