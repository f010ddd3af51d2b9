// Each message is put once by hand and once more by addAll: two consumers may have the same one.
package order;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class QueueAddedAgainByAll {
    static class Message {
        int seen;
    }

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
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
        queue.addAll(List.of(message));
        queue.put(message);
    }
}
