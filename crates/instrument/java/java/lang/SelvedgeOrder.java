package java.lang;

import java.lang.ref.Reference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * A thread's place in the order of events, and the locks that it holds: its epoch, its clock, what it hands over and what it learns.
 *
 * <p>Monitors and variables hand knowledge on without the agent: whoever gives a monitor back, or writes a variable, leaves what it
 * knows in the record of the object ({@link SelvedgeRecord}); whoever takes the monitor, or reads the variable, takes it from there. The
 * agent is brought up to date before it is told of anything ({@link #flush}). All of this is about the first {@link #CLOCK} chains: as
 * soon as there are more, or every event is recorded, the agent follows each step ({@link #eager}).
 *
 * <p><b>Time.</b> The thread's time moves on when it hands something over, and when its locks change (so that the locks of an
 * earlier access can be told by its time), but only if something was marked with the present time: if not, what is
 * handed over is what was done up to the time before, and nothing is lost. What a thread has learned counts as a mark. So for any two things that
 * a thread has handed over at times {@code s <= t}, who knows its chain up to {@code t} knows all that the first one said.
 */
abstract class SelvedgeOrder {
    /** Off before the program starts, after the machine's end has begun, and after a failure in here. */
    static boolean on;

    /** How races are told: by order, by locks, or both; set by the agent. */
    static boolean order;
    static boolean locks;

    /** Whether an access that says nothing new is found out by one comparison; off for measurements. */
    static boolean caching = true;

    /** Whether every access is told, to be recorded. */
    static boolean recording;

    /** Whether the agent follows each step. */
    static boolean eager;

    /** Whether no second thread has been seen. */
    static boolean alone = true;

    /** Where the agent counts collections. */
    static long collectionsAt;

    /** Set when the agent begins: this class may be in use before the machine is ready for that one. */
    static Unsafe unsafe;
    static long longs;
    private static long published;

    /** Where the site begins in a word, and where the epoch does. */
    static final int SITE = 1;
    static final int EPOCH = 21;
    static final int CHAIN = 51;
    static final int MAX_SITE = (1 << EPOCH - SITE) - 1;
    static final int MAX_TIME = (1 << CHAIN - EPOCH) - 1;
    static final int MAX_CHAIN = (1 << 64 - CHAIN) - 2;

    /** Where in {@link #clock} the agent leaves other things: chain, time, number. */
    static final int CLOCK = 64;

    /** The first thread: the machine's own threads know what it has done. */
    private static SelvedgeOrder first;

    /** The epoch to compare words with; -1, that of no word, if every access is to be told. */
    public long epoch = -1;
    /** The time of the epoch, to compare times with; -1 if every access is to be told. */
    int time = -1;
    /** The epoch. */
    long now;
    int chain;
    int number;
    /** Whether the thread is not observed: there are too many. */
    boolean mute;
    /** How much of each low chain came before what the thread does now. */
    final int[] clock = new int[CLOCK + 3];
    int collections;
    /** Whether the thread is in the agent already. */
    boolean inside;

    /** Whether something was marked with the present time. */
    boolean marked;
    /** Whether the agent does not know all that the clock says. */
    private boolean dirty;
    /** The clock as it was handed over last; null if it has changed. */
    private int[] known;
    private SelvedgeKnown last;

    /** The locks held, in order of acquisition, how each is held, and whether the agent knows: 1 that it is held, 2 also in the order of events. */
    private Object[] held = new Object[8];
    private SelvedgeRecord[] heldRecords = new SelvedgeRecord[8];
    private byte[] heldModes = new byte[8];
    private byte[] heldTold = new byte[8];
    private int heldCount;
    private boolean untold;
    /** A hash of the locks held. */
    int heldHash;
    /** The locks held; null if they have changed since. */
    private SelvedgeHeld heldNow;

    /** When something was marked under which locks. */
    private SelvedgePast past;

    static void begin(Unsafe given) {
        unsafe = SelvedgeType.unsafe = given;
        longs = given.arrayBaseOffset(long[].class);
        published = given.objectFieldOffset(SelvedgeRecord.class, "published");
    }

    /** The thread goes on this chain from now on. */
    void takes(int chain) {
        this.chain = chain;
        mute = chain > MAX_CHAIN;
        if (chain >= CLOCK) eager = true;
        if (number == 0) first = this;
    }

    // --- time

    /** The thread is at this time from now on. */
    private void at(int told) {
        long next = (long) chain << CHAIN - EPOCH | (told < MAX_TIME ? told : MAX_TIME);
        if (next == now) return;
        now = next;
        marked = false;
        boolean all = recording || !caching;
        epoch = all ? -1 : next;
        time = all ? -1 : (int) next & MAX_TIME;
        if (chain < CLOCK) clock[chain] = (int) next & MAX_TIME;
        moved();
    }

    /** The time has moved on, or something was handed over: others may know what the thread has made. */
    abstract void moved();

    /** After a collection: what only the caches hold may go. */
    abstract void forget();

    /** Takes over what the agent says of the thread in {@link #clock}. */
    void update() {
        known = null;
        // What one thread does while there is no other is before everything that others do.
        if (!alone || now == 0) at(clock[CLOCK + 1]);
        look();
    }

    private void look() {
        int count = unsafe.getInt(collectionsAt);
        if (collections == count) return;
        collections = count;
        forget();
    }

    /** Tells what is done from now on from what was done before. */
    private void tick() {
        if (!marked || alone) return;
        dirty = true;
        at(((int) now & MAX_TIME) + 1);
        look();
    }

    /** Something is marked with the present time. */
    void mark() {
        if (marked) return;
        marked = true;
        if (heldCount > 0) note();
    }

    /** The agent knows what the thread knows. To be called before it is told of anything else. */
    void flush() {
        if (!dirty) return;
        dirty = false;
        Selvedge.flush0(number, (int) now & MAX_TIME, clock);
    }

    /** The agent knows what the first thread knows, or nearly. */
    static void flushFirst() {
        if (first != null) Selvedge.flush0(0, (int) first.now & MAX_TIME, first.clock);
    }

    // --- what is handed over

    /** What the thread knows; what it does from now on is not part of it. */
    @DontInline
    private SelvedgeKnown handOver() {
        int until = ((int) now & MAX_TIME) - (marked ? 0 : 1);
        if (known == null) {
            int length = CLOCK;
            while (length > 0 && clock[length - 1] == 0) length--;
            int[] copy = new int[length];
            System.arraycopy(clock, 0, copy, 0, length);
            if (chain < length) copy[chain] = 0;
            known = copy;
            last = null;
        }
        SelvedgeKnown handed = last;
        if (handed == null || handed.time != until) last = handed = new SelvedgeKnown(chain, until, known);
        moved();
        tick();
        return handed;
    }

    private boolean knows(SelvedgeKnown handed) {
        if (handed.chain >= 0) return handed.chain == chain || clock[handed.chain] >= handed.time;
        int[] theirs = handed.clock;
        for (int i = 0; i < theirs.length; i++) {
            if (theirs[i] > clock[i] && i != chain) return false;
        }
        return true;
    }

    @DontInline
    private void learn(SelvedgeKnown handed) {
        if (handed == null || knows(handed)) return;
        int[] theirs = handed.clock;
        for (int i = 0; i < theirs.length; i++) {
            if (theirs[i] > clock[i] && i != chain) clock[i] = theirs[i];
        }
        if (handed.chain >= 0) clock[handed.chain] = handed.time;
        known = null;
        dirty = true;
        mark();
    }

    /** After a read of a variable of the object. */
    void listen(SelvedgeRecord record) {
        if (!alone) learn(record.published);
    }

    /** Before a write of a variable of the object. */
    void publish(SelvedgeRecord record) {
        if (alone) return;
        SelvedgeKnown mine = handOver();
        while (true) {
            SelvedgeKnown before = record.published;
            SelvedgeKnown next = before == null || knows(before) ? mine : SelvedgeKnown.both(before, mine);
            if (before == next || unsafe.compareAndSetReference(record, published, before, next)) return;
        }
    }

    // --- locks

    private int find(Object object, int mode) {
        for (int i = heldCount - 1; i >= 0; i--) {
            if (held[i] == object && heldModes[i] == mode) return i;
        }
        return -1;
    }

    private static int hashOf(SelvedgeRecord record, int mode) {
        return Integer.rotateLeft(record.id, mode * 5);
    }

    private void heldChanged(SelvedgeRecord record, int mode) {
        heldHash ^= hashOf(record, mode);
        heldNow = null;
    }

    /** A lock was taken: a monitor (mode 0), or one of java.util.concurrent, exclusively (1) or shared (2); its own variables order the latter. */
    void acquired(Object object, SelvedgeRecord record, int mode) {
        if (heldCount == held.length) {
            int more = 2 * heldCount;
            SelvedgeRecord[] records = new SelvedgeRecord[more];
            byte[] modes = new byte[more];
            byte[] told = new byte[more];
            Object[] objects = new Object[more];
            System.arraycopy(heldRecords, 0, records, 0, heldCount);
            System.arraycopy(heldModes, 0, modes, 0, heldCount);
            System.arraycopy(heldTold, 0, told, 0, heldCount);
            System.arraycopy(held, 0, objects, 0, heldCount);
            heldRecords = records;
            heldModes = modes;
            heldTold = told;
            held = objects;
        }
        boolean first = find(object, mode) < 0;
        int at = heldCount;
        held[at] = object;
        heldRecords[at] = record;
        heldModes[at] = (byte) mode;
        heldTold[at] = (byte) (eager ? 2 : 0);
        heldCount = at + 1;
        if (first) heldChanged(record, mode);
        if (mode == 0 && !alone) learn(record.released);
        if (eager) {
            step(Selvedge.ACQUIRE, object, mode);
        } else {
            untold = true;
        }
        if (first) tick();
    }

    /** A lock will be given back. */
    void releasing(Object object, int mode) {
        int at = find(object, mode);
        if (at < 0) return;
        SelvedgeRecord record = heldRecords[at];
        int told = heldTold[at];
        int moved = --heldCount - at;
        if (moved > 0) {
            System.arraycopy(held, at + 1, held, at, moved);
            System.arraycopy(heldRecords, at + 1, heldRecords, at, moved);
            System.arraycopy(heldModes, at + 1, heldModes, at, moved);
            System.arraycopy(heldTold, at + 1, heldTold, at, moved);
        }
        held[heldCount] = null;
        heldRecords[heldCount] = null;
        boolean last = find(object, mode) < 0;
        if (eager) {
            if (told != 2) {
                if (told == 1) Selvedge.held0(number, object, mode, false);
                step(Selvedge.ACQUIRE, object, mode);
            }
            step(Selvedge.RELEASE, object, mode);
        } else if (last) {
            if (told == 1) Selvedge.held0(number, object, mode, false);
            if (mode == 0 && !alone) record.released = handOver();
        }
        if (!last) return;
        heldChanged(record, mode);
        tick();
    }

    /** A monitor will be given back for a while, to wait. */
    void waiting(Object object, SelvedgeRecord record) {
        if (eager) {
            step(Selvedge.WAITING, object, 0);
        } else if (!alone) {
            record.released = handOver();
        }
    }

    /** The monitor was taken again. */
    void waited(Object object, SelvedgeRecord record) {
        if (eager) step(Selvedge.WAITED, object, 0);
        if (!alone) learn(record.released);
    }

    /** A step that the agent follows. */
    void step(int kind, Object object, int detail) {
        flush();
        Selvedge.step0(number, kind, object, detail, clock);
        update();
    }

    /** The agent knows which locks the thread holds. To be called before it is told of an access. */
    @DontInline
    void flushHeld() {
        flush();
        if (!untold) return;
        untold = false;
        for (int i = 0; i < heldCount; i++) {
            if (heldTold[i] != 0) continue;
            boolean first = true;
            for (int below = 0; below < i && first; below++) {
                first = held[below] != held[i] || heldModes[below] != heldModes[i];
            }
            if (!first) continue;
            heldTold[i] = 1;
            Selvedge.held0(number, held[i], heldModes[i], true);
        }
    }

    // --- which locks were held when

    @DontInline
    private void note() {
        SelvedgeHeld locks = heldNow;
        if (locks == null) {
            if (heldCount == 1) {
                locks = heldRecords[0].alone(held[0], heldModes[0]);
            } else {
                Reference<?>[] references = new Reference<?>[heldCount];
                int[] modes = new int[heldCount];
                for (int i = 0; i < heldCount; i++) {
                    references[i] = heldRecords[i].weak(held[i]);
                    modes[i] = heldModes[i];
                }
                locks = new SelvedgeHeld(references, modes);
            }
            heldNow = locks;
        }
        if (mute) return;
        if (past == null) past = SelvedgePast.of(chain);
        past.note((int) now & MAX_TIME, locks);
    }

    /** The locks under which the access of the word was made; null if there were none, or it is not known any more. */
    static SelvedgeHeld heldAt(long word) {
        return SelvedgePast.at((int) (word >>> CHAIN), (int) (word >>> EPOCH) & MAX_TIME);
    }
}
