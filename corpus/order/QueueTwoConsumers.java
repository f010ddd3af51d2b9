// Two consumers take mutable messages from a queue: each message goes to one of them.
package order;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class QueueTwoConsumers {
    static class Message {
        int hops;
    }

    static void consume(BlockingQueue<Message> queue) {
        try {
            for (int i = 0; i < 2; i++) {
                Message message = queue.take();
                message.hops++; //~ NORACE: the message was taken by this thread alone
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Message> queue = new ArrayBlockingQueue<>(4);
        Thread a = new Thread(() -> consume(queue));
        Thread b = new Thread(() -> consume(queue));
        a.start();
        b.start();
        for (int i = 0; i < 4; i++) {
            Message message = new Message();
            message.hops = i; //~ NORACE: not yet published
            queue.put(message);
        }
        a.join();
        b.join();
    }
}
