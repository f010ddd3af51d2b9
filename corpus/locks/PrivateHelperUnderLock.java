// The private helper has no lock of its own, but every caller holds one.
package locks;

public class PrivateHelperUnderLock {
    private int[] heap = new int[8];
    private int size;

    public synchronized void add(int value) {
        ensureRoom();
        heap[size++] = value; //~ NORACE: guarded by this
    }

    public synchronized void addTwice(int value) {
        add(value);
        ensureRoom();
        heap[size++] = value; //~ NORACE: guarded by this
    }

    private void ensureRoom() {
        if (size == heap.length) { //~ NORACE: both callers hold the lock
            heap = java.util.Arrays.copyOf(heap, size * 2); //~ NORACE: both callers hold the lock
        }
    }

    public static void main(String[] args) throws Exception {
        PrivateHelperUnderLock heap = new PrivateHelperUnderLock();
        Thread other = new Thread(() -> heap.addTwice(1));
        other.start();
        heap.add(2);
        other.join();
        System.out.println(heap.size);
    }
}
