// As FieldUpdater, but the claim is given back through the updater, by whoever asks for it.
package atomics;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class FieldUpdaterReleased {
    private static final AtomicIntegerFieldUpdater<FieldUpdaterReleased> STATE =
        AtomicIntegerFieldUpdater.newUpdater(FieldUpdaterReleased.class, "state");

    private volatile int state;
    private String owner = "nobody";

    boolean claim(String name) {
        if (STATE.compareAndSet(this, 0, 1)) {
            owner = name; //~ RACE
            return true;
        }
        return false;
    }

    void release() {
        STATE.set(this, 0);
    }

    public static void main(String[] args) throws Exception {
        FieldUpdaterReleased job = new FieldUpdaterReleased();
        Thread a = new Thread(() -> job.claim("x"));
        Thread b = new Thread(() -> job.claim("y"));
        a.start();
        b.start();
        job.release();
        a.join();
        b.join();
    }
}
