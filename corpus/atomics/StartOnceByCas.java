// A compare-and-set that succeeds once lets one thread in, for good: what it sets up has one writer.
package atomics;

import java.util.concurrent.atomic.AtomicBoolean;

public class StartOnceByCas {
    private final AtomicBoolean started = new AtomicBoolean();
    private int port;

    void start(int wanted) {
        if (started.compareAndSet(false, true)) {
            port = wanted; //~ NORACE: only the winner gets here
        }
    }

    public static void main(String[] args) throws Exception {
        StartOnceByCas server = new StartOnceByCas();
        Thread a = new Thread(() -> server.start(80));
        Thread b = new Thread(() -> server.start(81));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(server.port > 0); //~ NORACE: after the joins
    }
}
