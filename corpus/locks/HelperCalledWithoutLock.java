// One caller of the helper forgot the lock: the helper's accesses race.
package locks;

public class HelperCalledWithoutLock {
    private int size;
    private int limit = 8;

    public synchronized void add() {
        ensureRoom();
        size++; //~ RACE
    }

    public void reserve() {
        ensureRoom();
    }

    private void ensureRoom() {
        if (size == limit) { //~ RACE
            limit *= 2; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        HelperCalledWithoutLock heap = new HelperCalledWithoutLock();
        Thread other = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                heap.add();
            }
        });
        other.start();
        heap.reserve();
        other.join();
    }
}
