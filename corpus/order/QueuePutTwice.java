// One message is put into the queue twice: both consumers get it.
package order;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class QueuePutTwice {
    static class Message {
        int hops;
    }

    static void consume(BlockingQueue<Message> queue) {
        try {
            Message message = queue.take();
            message.hops++; //~ RACE
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
        Message message = new Message();
        queue.put(message);
        queue.put(message);
        a.join();
        b.join();
    }
}
