// The sender keeps the message and changes it after the hand-over.
package order;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueueTouchedAfterPut {
    static class Message {
        String text;
        int hops;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
        Thread receiver = new Thread(() -> {
            try {
                Message message = queue.take();
                message.hops++; //~ RACE
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        receiver.start();
        Message message = new Message();
        message.text = "hello"; //~ NORACE: before put
        queue.put(message);
        message.hops = 1; //~ RACE
        receiver.join();
    }
}
