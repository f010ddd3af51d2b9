// A bounded buffer with split monitors in which each side also changes the other side's counter: the counters race, and
// with them the slots, whose hand-over they should order. Waits are bounded, so that a lost update cannot hang it.
package papers;

public class BoundedBufferShared {
    private final Object[] array;
    private int putPtr;
    private int takePtr;
    private int emptySlots;
    private int usedSlots;
    private int waitingPuts;
    private int waitingTakes;
    private final Object putMonitor = new Object();
    private final Object takeMonitor = new Object();

    BoundedBufferShared(int capacity) {
        array = new Object[capacity];
        emptySlots = capacity; //~ NORACE: in the constructor
    }

    void put(Object x) throws InterruptedException {
        synchronized (putMonitor) {
            for (int tries = 0; emptySlots <= 0 && tries < 20; tries++) { //~ RACE
                ++waitingPuts; //~ NORACE: guarded by putMonitor
                try {
                    putMonitor.wait(1);
                } finally {
                    --waitingPuts; //~ NORACE: guarded by putMonitor
                }
            }
            --emptySlots; //~ RACE
            ++usedSlots; //~ RACE: needs takeMonitor
            array[putPtr] = x; //~ RACE: the counters do not order the slots
            putPtr = (putPtr + 1) % array.length; //~ NORACE: guarded by putMonitor
        }
        synchronized (takeMonitor) {
            if (waitingTakes > 0) { //~ NORACE: guarded by takeMonitor
                takeMonitor.notify();
            }
        }
    }

    Object take() throws InterruptedException {
        Object old;
        synchronized (takeMonitor) {
            for (int tries = 0; usedSlots <= 0 && tries < 20; tries++) { //~ RACE
                ++waitingTakes; //~ NORACE: guarded by takeMonitor
                try {
                    takeMonitor.wait(1);
                } finally {
                    --waitingTakes; //~ NORACE: guarded by takeMonitor
                }
            }
            --usedSlots; //~ RACE
            ++emptySlots; //~ RACE: needs putMonitor
            old = array[takePtr]; //~ RACE: the counters do not order the slots
            array[takePtr] = null; //~ RACE: the counters do not order the slots
            takePtr = (takePtr + 1) % array.length; //~ NORACE: guarded by takeMonitor
        }
        synchronized (putMonitor) {
            if (waitingPuts > 0) { //~ NORACE: guarded by putMonitor
                putMonitor.notify();
            }
        }
        return old;
    }

    public static void main(String[] args) throws Exception {
        BoundedBufferShared buffer = new BoundedBufferShared(4);
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 8; i++) {
                    buffer.put(i);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        producer.start();
        for (int i = 0; i < 8; i++) {
            buffer.take();
        }
        producer.join();
    }
}
