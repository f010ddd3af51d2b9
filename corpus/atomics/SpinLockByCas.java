// A hand-made spin lock: compareAndSet takes it, a set gives it back, and the data inside is ordered.
package atomics;

import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLockByCas {
    private final AtomicBoolean busy = new AtomicBoolean();
    private int value;

    void add(int n) {
        while (!busy.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        try {
            value += n; //~ NORACE: inside the spin lock
        } finally {
            busy.set(false);
        }
    }

    public static void main(String[] args) throws Exception {
        SpinLockByCas counter = new SpinLockByCas();
        Thread other = new Thread(() -> counter.add(1));
        other.start();
        counter.add(2);
        other.join();
        System.out.println(counter.value);
    }
}
