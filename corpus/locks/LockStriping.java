// Lock striping: the lock and the slot are chosen by the same index, so equal slots always share a lock.
package locks;

public class LockStriping {
    private final Object[] locks = {new Object(), new Object(), new Object(), new Object()};
    private final int[] counts = new int[4];

    void count(int key) {
        int stripe = Math.floorMod(key, 4);
        synchronized (locks[stripe]) {
            counts[stripe]++; //~ NORACE: the same index names lock and slot
        }
    }

    public static void main(String[] args) throws Exception {
        LockStriping counter = new LockStriping();
        Thread a = new Thread(() -> {
            for (int key = 0; key < 20; key++) {
                counter.count(key);
            }
        });
        a.start();
        for (int key = 0; key < 20; key++) {
            counter.count(key);
        }
        a.join();
        System.out.println(counter.counts[0] + counter.counts[3]);
    }
}
