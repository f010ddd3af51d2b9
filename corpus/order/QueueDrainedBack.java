// What a consumer has taken out is drained into the queue again from a list that still holds it.
package order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueueDrainedBack {
    static class Message {
        int seen;
    }

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
        BlockingQueue<Message> spare = new LinkedBlockingQueue<>();
        Runnable consumer = () -> {
            try {
                Message message = queue.take();
                message.seen++; //~ RACE: the other consumer may have the same
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        };
        new Thread(consumer).start();
        new Thread(consumer).start();
        Message message = new Message();
        spare.put(message);
        Deque<Message> copy = new ArrayDeque<>(spare);
        queue.put(copy.peek());
        spare.drainTo(queue);
    }
}
