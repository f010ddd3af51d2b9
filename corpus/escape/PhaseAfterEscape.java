// A message that is filled before it is sent, and once more afterwards.
package escape;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class PhaseAfterEscape {
    static class Message {
        int length;
        int copies;
    }

    static Message filled() {
        Message message = new Message();
        message.length = 3; //~ NORACE
        return message;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Message> box = new ArrayBlockingQueue<>(1);
        new Thread(() -> {
            try {
                Message message = box.take();
                System.out.println(message.length); //~ NORACE
                message.copies++; //~ RACE
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }).start();
        Message message = filled();
        box.put(message);
        message.copies++; //~ RACE
    }
}
