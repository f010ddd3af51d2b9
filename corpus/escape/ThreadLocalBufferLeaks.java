// The buffer is a thread's own, but a reader is handed the buffer itself instead of a copy of its contents.
package escape;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class ThreadLocalBufferLeaks {
    private static final ThreadLocal<StringBuilder> BUFFER = ThreadLocal.withInitial(StringBuilder::new);
    private static final BlockingQueue<StringBuilder> LINES = new LinkedBlockingQueue<>();

    static void log(String text) {
        StringBuilder buffer = BUFFER.get();
        buffer.setLength(0); //~ RACE
        buffer.append(text); //~ RACE
        LINES.add(buffer);
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            log("one");
            log("two");
        });
        writer.start();
        System.out.println(LINES.take().length() >= 0); //~ RACE
        writer.join();
    }
}
