// The claim is given back by anybody, so two threads may have claimed at the same time.
package atomics;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class FieldUpdaterReset {
    private static final AtomicIntegerFieldUpdater<FieldUpdaterReset> STATE =
        AtomicIntegerFieldUpdater.newUpdater(FieldUpdaterReset.class, "state");

    private volatile int state;
    private String owner = "nobody";

    void claim(String name) {
        if (STATE.compareAndSet(this, 0, 1)) {
            owner = name; //~ RACE
        }
    }

    void reset() {
        state = 0;
    }

    public static void main(String[] args) throws Exception {
        FieldUpdaterReset job = new FieldUpdaterReset();
        Thread a = new Thread(() -> job.claim("x"));
        Thread b = new Thread(() -> job.claim("y"));
        a.start();
        b.start();
        job.reset();
        a.join();
        b.join();
    }
}
