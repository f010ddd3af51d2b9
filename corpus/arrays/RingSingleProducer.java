// A ring buffer with volatile head and tail for one producer and one consumer: a slot changes hands with the indexes.
package arrays;

public class RingSingleProducer {
    private final String[] slots = new String[4];
    private volatile int head;
    private volatile int tail;

    boolean offer(String item) {
        if (tail - head == slots.length) {
            return false;
        }
        slots[tail % slots.length] = item; //~ RACE spurious: free until tail moves; the counters that guard the slots
        tail = tail + 1; //~ NORACE: volatile, written by the producer only
        return true;
    }

    String poll() {
        if (head == tail) {
            return null;
        }
        String item = slots[head % slots.length]; //~ RACE spurious: filled before tail moved; the counters that guard
        head = head + 1; //~ NORACE: volatile, written by the consumer only
        return item;
    }

    public static void main(String[] args) throws Exception {
        RingSingleProducer ring = new RingSingleProducer();
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 10; ) {
                if (ring.offer("item" + i)) {
                    i++;
                } else {
                    Thread.onSpinWait();
                }
            }
        });
        producer.start();
        for (int taken = 0; taken < 10; ) {
            if (ring.poll() != null) {
                taken++;
            } else {
                Thread.onSpinWait();
            }
        }
        producer.join();
        System.out.println("all taken");
    }
}
