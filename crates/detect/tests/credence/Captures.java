package credence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a lambda captures is its method's own, unless the method or the lambda lets others have it. */
public class Captures {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final List<Tally> kept = new ArrayList<>();

    /** What is counted. */
    public static class Tally {
        private int doubtedCounted;
        private int credibleCounted;

        void count(int more) {
            doubtedCounted += more;
        }

        void countKept(int more) {
            credibleCounted += more;
        }

        public synchronized int sum() {
            return doubtedCounted + credibleCounted;
        }
    }

    public synchronized void put(String name, int count) {
        counts.put(name, count);
    }

    public Tally own() {
        Tally tally = new Tally();
        counts.forEach((name, count) -> tally.count(count));
        return tally;
    }

    public Tally given() {
        Tally tally = new Tally();
        synchronized (kept) {
            kept.add(tally);
        }
        counts.forEach((name, count) -> tally.countKept(count));
        return tally;
    }

    public Tally last() {
        synchronized (kept) {
            return kept.get(kept.size() - 1);
        }
    }
}
