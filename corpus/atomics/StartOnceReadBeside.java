// The same start-once flag does not order those who only read: the loser looks at what the winner may still be writing.
package atomics;

import java.util.concurrent.atomic.AtomicBoolean;

public class StartOnceReadBeside {
    private final AtomicBoolean started = new AtomicBoolean();
    private int port;

    int start(int wanted) {
        if (started.compareAndSet(false, true)) {
            port = wanted; //~ RACE
        }
        return port; //~ RACE: the loser reads without order
    }

    public static void main(String[] args) throws Exception {
        StartOnceReadBeside server = new StartOnceReadBeside();
        Thread a = new Thread(() -> server.start(80));
        Thread b = new Thread(() -> server.start(81));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
