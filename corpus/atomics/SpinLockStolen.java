// A spin lock that others may reset without holding it excludes nobody.
package atomics;

import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLockStolen {
    private final AtomicBoolean busy = new AtomicBoolean();
    private int value;

    void add(int n) {
        while (!busy.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        value += n; //~ RACE: reset may have let another in
        busy.set(false);
    }

    void reset() {
        busy.set(false);
    }

    public static void main(String[] args) throws Exception {
        SpinLockStolen counter = new SpinLockStolen();
        Thread adder = new Thread(() -> counter.add(1));
        Thread resetter = new Thread(counter::reset);
        adder.start();
        resetter.start();
        counter.add(2);
        adder.join();
        resetter.join();
        System.out.println(counter.value); //~ NORACE: after the joins
    }
}
