// The LinkedList queue with every access under the list's own monitor.
package containers;

import java.util.LinkedList;

public class LinkedListQueueLocked {
    private final LinkedList<String> queue = new LinkedList<>();

    void produce() {
        for (int i = 0; i < 50; i++) {
            synchronized (queue) {
                queue.addLast("job" + i); //~ NORACE: guarded by queue
            }
        }
    }

    int consume() {
        int taken = 0;
        for (int i = 0; i < 50; i++) {
            synchronized (queue) {
                if (queue.poll() != null) { //~ NORACE: guarded by queue
                    taken++;
                }
            }
        }
        return taken;
    }

    public static void main(String[] args) throws Exception {
        LinkedListQueueLocked shared = new LinkedListQueueLocked();
        Thread producer = new Thread(shared::produce);
        producer.start();
        System.out.println(shared.consume() <= 50);
        producer.join();
    }
}
