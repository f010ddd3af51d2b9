// selvedge: library=open.MetricsRegistry
// A registry of counters and timers: concurrent maps of objects that are safe by themselves; a snapshot is made of
// copies.
package open;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class MetricsRegistry {
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();

    public void count(String name) {
        counters.computeIfAbsent(name, key -> new LongAdder()).increment();
    }

    public void time(String name, long nanos) {
        timers.computeIfAbsent(name, Timer::new).add(nanos);
    }

    public Map<String, Long> snapshot() {
        Map<String, Long> result = new TreeMap<>();
        counters.forEach((name, adder) -> result.put(name, adder.sum())); //~ NORACE: local
        timers.values().forEach(timer -> result.put(timer.name, timer.mean())); //~ NORACE: local
        return result;
    }

    private static final class Timer {
        final String name;
        private final AtomicLong total = new AtomicLong();
        private int times;

        Timer(String name) {
            this.name = name;
        }

        void add(long nanos) {
            total.addAndGet(nanos);
            synchronized (this) {
                times++; //~ NORACE: guarded by this
            }
        }

        synchronized long mean() {
            return times == 0 ? 0 : total.get() / times; //~ NORACE: guarded by this
        }
    }
}
