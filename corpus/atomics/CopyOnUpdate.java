// compareAndSet with an immutable record: every update makes a new value.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class CopyOnUpdate {
    record Range(int low, int high) {
        Range widen(int value) {
            return new Range(Math.min(low, value), Math.max(high, value)); //~ NORACE: final fields
        }
    }

    private final AtomicReference<Range> range = new AtomicReference<>(new Range(0, 0));

    void add(int value) {
        Range old;
        do {
            old = range.get();
        } while (!range.compareAndSet(old, old.widen(value))); //~ NORACE: atomic
    }

    public static void main(String[] args) throws Exception {
        CopyOnUpdate samples = new CopyOnUpdate();
        Thread other = new Thread(() -> samples.add(-5));
        other.start();
        samples.add(9);
        other.join();
        System.out.println(samples.range.get());
    }
}
