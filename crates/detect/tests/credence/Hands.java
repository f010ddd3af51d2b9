package credence;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Entries that change hands by a compare-and-set of their state, and what is done to entries without it. */
public class Hands {
    private static final CopyOnWriteArrayList<Entry> ENTRIES = new CopyOnWriteArrayList<>(List.of(new Entry()));
    private static final CopyOnWriteArrayList<Slot> SLOTS = new CopyOnWriteArrayList<>(List.of(new Slot()));

    /** An entry of a pool. */
    static class Entry {
        final AtomicInteger state = new AtomicInteger();
        long doubtedBorrowed;
        long crediblePeeked;
    }

    /** The same with an updater. */
    static class Slot {
        private static final AtomicIntegerFieldUpdater<Slot> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Slot.class, "state");
        private volatile int state;
        long doubtedClaimed;
        long credibleFreed;

        boolean claim() {
            return STATE.compareAndSet(this, 0, 1);
        }

        void free() {
            STATE.set(this, 0);
        }
    }

    private static Entry borrow() {
        for (Entry entry : ENTRIES) {
            if (entry.state.compareAndSet(0, 1)) {
                return entry;
            }
        }
        return null;
    }

    private static Slot take() {
        for (Slot slot : SLOTS) {
            if (slot.claim()) {
                return slot;
            }
        }
        return null;
    }

    public static long use(long now) {
        Entry entry = borrow();
        entry.doubtedBorrowed += now;
        entry.crediblePeeked += now;
        long before = entry.doubtedBorrowed;
        entry.state.set(0);
        return before;
    }

    /** Looks at an entry that another thread may have. */
    public static long peek() {
        return ENTRIES.get(0).crediblePeeked;
    }

    public static void begin(long now) {
        Slot slot = take();
        slot.doubtedClaimed += now;
        slot.credibleFreed += now;
    }

    public static long end() {
        Slot slot = SLOTS.get(0);
        long claimed = slot.doubtedClaimed;
        slot.free();
        return claimed;
    }

    /** Uses an entry after it has given it back. */
    public static void late() {
        Slot slot = SLOTS.get(0);
        slot.free();
        slot.credibleFreed++;
    }
}
