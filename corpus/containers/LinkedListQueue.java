// A LinkedList as a queue between a producer and a consumer without a lock: poll and add race.
package containers;

import java.util.LinkedList;

public class LinkedListQueue {
    private final LinkedList<String> queue = new LinkedList<>();

    void produce() {
        for (int i = 0; i < 50; i++) {
            queue.addLast("job" + i); //~ RACE
        }
    }

    int consume() {
        int taken = 0;
        for (int i = 0; i < 50; i++) {
            try {
                if (queue.poll() != null) { //~ RACE
                    taken++;
                }
            } catch (RuntimeException e) {
                return taken;
            }
        }
        return taken;
    }

    public static void main(String[] args) throws Exception {
        LinkedListQueue shared = new LinkedListQueue();
        Thread producer = new Thread(shared::produce);
        producer.start();
        System.out.println(shared.consume() <= 50);
        producer.join();
    }
}
