// One counter is atomic, the other beside it was forgotten.
package atomics;

import java.util.concurrent.atomic.AtomicLong;

public class AtomicBesidePlain {
    private final AtomicLong requests = new AtomicLong();
    private long errors;

    void serve(boolean failed) {
        requests.incrementAndGet(); //~ NORACE: atomic
        if (failed) {
            errors++; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicBesidePlain server = new AtomicBesidePlain();
        Thread a = new Thread(() -> server.serve(true));
        Thread b = new Thread(() -> server.serve(true));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
