// The buffer is a thread's own, and only its contents are handed on.
package escape;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class ThreadLocalBufferCopied {
    private static final ThreadLocal<StringBuilder> BUFFER = ThreadLocal.withInitial(StringBuilder::new);
    private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();

    static void log(String text) {
        StringBuilder buffer = BUFFER.get();
        buffer.setLength(0); //~ NORACE: this thread's own
        buffer.append(text); //~ NORACE: this thread's own
        LINES.add(buffer.toString()); //~ NORACE: this thread's own
    }

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            log("one");
            log("two");
        });
        writer.start();
        log("three");
        System.out.println(LINES.take().length() >= 0);
        writer.join();
    }
}
