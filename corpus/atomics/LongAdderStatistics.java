// LongAdder for statistics, CopyOnWriteArrayList for listeners: both safe without a lock.
package atomics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

public class LongAdderStatistics {
    private final LongAdder events = new LongAdder();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    void fire() {
        events.increment(); //~ NORACE: concurrent counter
        for (Runnable listener : listeners) { //~ NORACE: a snapshot iterator
            listener.run();
        }
    }

    public static void main(String[] args) throws Exception {
        LongAdderStatistics bus = new LongAdderStatistics();
        Thread other = new Thread(bus::fire);
        other.start();
        bus.listeners.add(() -> System.out.print("")); //~ NORACE: copy on write
        bus.fire();
        other.join();
        System.out.println(bus.events.sum());
    }
}
