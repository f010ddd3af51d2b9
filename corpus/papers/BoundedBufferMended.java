// The split-monitor buffer with each counter under its own monitor: a slot is written before the counter that gives it
// away, so the slots are ordered though the two sides hold different locks.
package papers;

public class BoundedBufferMended {
    private final Object[] array = new Object[4];
    private int putPtr;
    private int takePtr;
    private int emptySlots = 4;
    private int usedSlots;
    private final Object putMonitor = new Object();
    private final Object takeMonitor = new Object();

    void put(Object x) throws InterruptedException {
        synchronized (putMonitor) {
            while (emptySlots <= 0) { //~ NORACE: guarded by putMonitor
                putMonitor.wait();
            }
            --emptySlots; //~ NORACE: guarded by putMonitor
            array[putPtr] = x; //~ RACE spurious: the slot was given free under putMonitor; the counts under both
            putPtr = (putPtr + 1) % array.length; //~ NORACE: guarded by putMonitor
        }
        synchronized (takeMonitor) {
            ++usedSlots; //~ NORACE: guarded by takeMonitor
            takeMonitor.notify();
        }
    }

    Object take() throws InterruptedException {
        Object old;
        synchronized (takeMonitor) {
            while (usedSlots <= 0) { //~ NORACE: guarded by takeMonitor
                takeMonitor.wait();
            }
            --usedSlots; //~ NORACE: guarded by takeMonitor
            old = array[takePtr]; //~ RACE spurious: filled before usedSlots was raised under takeMonitor; the counts
            array[takePtr] = null; //~ RACE spurious: before emptySlots is raised under putMonitor; the counts under
            takePtr = (takePtr + 1) % array.length; //~ NORACE: guarded by takeMonitor
        }
        synchronized (putMonitor) {
            ++emptySlots; //~ NORACE: guarded by putMonitor
            putMonitor.notify();
        }
        return old;
    }

    public static void main(String[] args) throws Exception {
        BoundedBufferMended buffer = new BoundedBufferMended();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 10; i++) {
                    buffer.put(i);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += (Integer) buffer.take();
        }
        producer.join();
        System.out.println(sum);
    }
}
