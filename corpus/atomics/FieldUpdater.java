// A field updater over a volatile field: updates through it and direct volatile reads are both safe.
package atomics;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class FieldUpdater {
    private static final AtomicIntegerFieldUpdater<FieldUpdater> STATE =
        AtomicIntegerFieldUpdater.newUpdater(FieldUpdater.class, "state");

    private volatile int state;
    private String owner = "nobody";

    boolean claim(String name) {
        if (STATE.compareAndSet(this, 0, 1)) { //~ NORACE: atomic
            owner = name; //~ NORACE: only the winner writes, and main reads after the joins
            return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        FieldUpdater job = new FieldUpdater();
        Thread a = new Thread(() -> job.claim("x"));
        Thread b = new Thread(() -> job.claim("x"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(job.owner + job.state); //~ NORACE: after both joins
    }
}
