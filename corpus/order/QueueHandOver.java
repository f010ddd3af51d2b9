// A mutable message is filled, put into a blocking queue and never touched again by the sender.
package order;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class QueueHandOver {
    static class Message {
        String text;
        int hops;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Message> queue = new ArrayBlockingQueue<>(4);
        Thread receiver = new Thread(() -> {
            try {
                Message message = queue.take();
                message.hops++; //~ NORACE: the receiver has it alone now
                System.out.println(message.text); //~ NORACE: written before put
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        receiver.start();
        Message message = new Message();
        message.text = "hello"; //~ NORACE: before put
        message.hops = 1; //~ NORACE: before put
        queue.put(message);
        receiver.join();
    }
}
