package java.lang;

import java.lang.ref.Reference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * A thread's place in the order of events, and the locks that it holds: its epoch, its clock, what it hands over and what it learns.
 *
 * <p>Monitors and variables hand knowledge on without the agent: whoever gives a monitor back, or writes a variable, leaves what it
 * knows in the record of the object ({@link SelvedgeRecord}); whoever takes the monitor, or reads the variable, takes it from there. The
 * agent is brought up to date before it is told of anything ({@link #flush}). If every event is recorded, the agent follows each step ({@link #eager}).
 *
 * <p><b>Time.</b> The thread's epoch ends when it hands something over, but only if something was marked in it: if not, what is
 * handed over is what was done up to the epoch before, and nothing is lost. What a thread has learned counts as a mark. When it takes one more lock, a new stage of the
 * epoch begins, so that the locks of an earlier access can be told by its time; what was marked in an earlier stage need not be marked again. So for any two things that
 * a thread has handed over at times {@code s <= t}, who knows its chain up to {@code t} knows all that the first one said.
 *
 * <p><b>Settled locks.</b> A lock, or an object with variables, that one thread alone has used {@link #SETTLED} times is taken to stay that thread's:
 * what it leaves there counts up to the present time, and its time does not move on ({@link #handOver}), unless something was told under that lock that has to be told
 * anew without it ({@link #bound}). If another thread comes nevertheless, the lock is settled no more, and the first thread's time moves on at its next access
 * ({@link #renew}). What the first thread did between its last use of the lock and that moment, without its time having moved on for another reason, is then
 * taken to be before what the second one does: a race of that may be missed, once in the life of a lock. Nothing is reported that is none.
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

    /** Whether the agent follows each step: every event is recorded. */
    static boolean eager;

    /** Whether no second thread has been seen. */
    static boolean alone = true;

    /** Where the agent counts collections. */
    static long collectionsAt;

    /** Set when the agent begins: this class may be in use before the machine is ready for that one. */
    static Unsafe unsafe;
    static long longs;

    /** Where the site begins in a word, where the time does, of which the last bits are the stage, and where the epoch does, which is the rest. */
    static final int SITE = 1;
    static final int TIME = 21;
    static final int STAGES = 2;
    static final int EPOCH = TIME + STAGES;
    static final int CHAIN = 51;
    static final int MAX_SITE = (1 << TIME - SITE) - 1;
    static final int MAX_TIME = (1 << CHAIN - TIME) - 1;
    static final int LAST_STAGE = (1 << STAGES) - 1;
    static final int MAX_CHAIN = (1 << 64 - CHAIN) - 2;

    /** Whether locks settle; off for measurements, and where races are told by locks alone. */
    static boolean settling = true;

    /** So often a thread uses a lock alone before the lock is biased to it. */
    static final int SETTLED = 64;

    /** So many entries at the end of {@link #clock} are of other things: chain, time, number, and how many chains there are. */
    private static final int REST = 4;
    private static final int FIRST_WIDTH = 12;

    /** The first thread: the machine's own threads know what it has done. */
    private static SelvedgeOrder first;

    /** The epoch to compare words with; -1, that of no word, if every access is to be told. */
    public long epoch = -1;
    /** The epoch of times, to compare them with; -1 if every access is to be told. */
    int time = -1;
    /** The chain and the time. */
    long now;
    int chain;
    int number;
    /** Whether the thread is not observed: there are too many. */
    boolean mute;
    /** How much of each chain came before what the thread does now; nothing of those beyond the end. And what the agent leaves at the end. */
    int[] clock = new int[FIRST_WIDTH + REST];
    int collections;
    /** Whether the thread is in the agent already. */
    boolean inside;
    /** Whether it was parked there: the permit that ended this may have been meant for the program. */
    boolean permitTaken;
    boolean isVirtual;

    /** Whether something was marked in the present epoch, and at the present time. */
    boolean marked;
    private boolean noted;
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
    private boolean[] heldSettled = new boolean[8];
    private int heldCount;
    private int settledCount;
    private boolean untold;
    /** Whether the stack ran out while these were changed. */
    boolean unsure;
    /** Distinguishes what was done before and after a hand-over, for locks. */
    private int phase;
    /** A hash of the locks held and the phase. */
    int heldHash;
    /** Hashes of some of them: of none, of each by itself, of the outermost two, three and so on, up to all; and how many locks that are, or -1 if they have changed since. */
    int[] lockHashes = new int[8];
    private int lockCount = -1;
    /** The locks held, but for settled ones; null if they have changed since. */
    private SelvedgeHeld heldNow;

    /** Whether what was done at the present time was left at a settled lock, and whether something was told at this time under one. */
    private boolean left;
    private boolean bound;

    /** Whether another thread has used what was this thread's alone: the time has to move on. */
    boolean passed;

    /** When something was marked under which locks. */
    private SelvedgePast past;

    static void begin(Unsafe given) {
        unsafe = SelvedgeType.unsafe = SelvedgePast.unsafe = given;
        SelvedgeVariable.begin(given);
    }

    /** The thread goes on this chain from now on. */
    void takes(int chain) {
        this.chain = chain;
        mute = chain > MAX_CHAIN;
        if (number == 0) first = this;
    }

    /** How many chains the clock has room for. */
    int width() {
        return clock.length - REST;
    }

    /** Makes room for so many chains in the clock. */
    @DontInline
    private void widen(int chains) {
        int width = width();
        while (width < chains) width *= 2;
        int[] wider = new int[width + REST];
        System.arraycopy(clock, 0, wider, 0, width());
        clock = wider;
    }

    /** What the agent has left of the thread: 0 its chain, 1 its time, 2 its number. */
    int leftInClock(int what) {
        return clock[width() + what];
    }

    /** The agent leaves the clock of as many chains as there is room for, and says how many there are. */
    void readClock() {
        while (leftInClock(3) > width()) {
            widen(leftInClock(3));
            Selvedge.time0(number, clock);
        }
    }

    // --- time

    /** The thread is at this time from now on. */
    private void at(int told) {
        if (told != ((int) now & MAX_TIME) && (told & LAST_STAGE) != 0) {
            // The agent knows of no stages: what it distinguishes must differ in epochs.
            told = (told | LAST_STAGE) + 1;
            dirty = true;
        }
        long next = (long) chain << CHAIN - TIME | (told < MAX_TIME ? told : MAX_TIME);
        if (next == now && !passed) return;
        now = next;
        marked = noted = left = bound = false;
        if (passed) {
            passed = false;
            quicken();
        }
        boolean all = recording || !caching;
        epoch = all ? -1 : next >>> STAGES;
        time = all ? -1 : ((int) next & MAX_TIME) >>> STAGES;
        if (chain < width()) clock[chain] = (int) next & MAX_TIME;
        moved();
    }

    /** The time has moved on, or something was handed over: others may know what the thread has made. */
    abstract void moved();

    /** The shortest way may be taken again, unless something else forbids it. */
    abstract void quicken();

    /** After a collection: what only the caches hold may go. */
    abstract void forget();

    /** Takes over what the agent says of the thread in {@link #clock}. */
    void update() {
        known = null;
        readClock();
        // What one thread does while there is no other is before everything that others do.
        if (!alone || now == 0) at(leftInClock(1));
        // The thread may have learned something: what it hands over from now on is more than what it has handed over at this time.
        if (!alone) {
            if (left) tick();
            mark();
        }
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
        at(((int) now & MAX_TIME | LAST_STAGE) + 1);
        look();
    }

    /** Tells what is done under one more lock from what was done before, which repeats nothing of it. */
    private void stage() {
        if (!noted || alone) return;
        if (((int) now & LAST_STAGE) == LAST_STAGE) {
            tick();
            return;
        }
        dirty = true;
        now++;
        if (chain < width()) clock[chain] = (int) now & MAX_TIME;
        noted = false;
    }

    /** Something is marked with the present time. */
    void mark() {
        if (noted) return;
        marked = noted = true;
        if (heldCount > settledCount) note();
    }

    /** For locks, something is told, or need not be: when a settled lock under which this is so is given back, the time moves on. */
    void relies() {
        if (settledCount > 0) bound = true;
    }

    /** Another thread uses what was this thread's alone. That thread calls this: nothing is found out by one comparison until {@link #renew}. */
    void pass() {
        passed = true;
        epoch = -1;
        time = -1;
        moved();
    }

    /** The time moves on, at the first access after {@link #pass}. */
    @DontInline
    void renew() {
        marked = true;
        tick();
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

    /** What the first thread does from now on is not known to the thread that has just learned of it. */
    static void passFirst() {
        if (first != null) first.pass();
    }

    // --- what is handed over

    /** A turn of this thread at a lock or at variables, where this was left last: whether they are settled. */
    private boolean settles(SelvedgeTurns record, SelvedgeKnown handed) {
        SelvedgeOrder only = record.only;
        if (only == this) return settling && (record.turns >= SETTLED || ++record.turns >= SETTLED);
        if (only == null) {
            if (record.turns == 0) {
                record.only = this;
                record.turns = 1;
            }
        } else {
            record.turns = -1;
            record.only = null;
            // What it does from now on must not count as left there.
            boolean isStillAt = handed != null && handed.chain == only.chain
                && handed.time >>> STAGES == ((int) only.now & MAX_TIME) >>> STAGES;
            if (isStillAt) only.pass();
        }
        return false;
    }

    /** What the thread knows. What it does from now on is not part of it, unless it is left at what is settled. */
    @DontInline
    private SelvedgeKnown handOver(boolean settled) {
        int until = ((int) now & MAX_TIME) - (marked ? 0 : 1);
        if (known == null) {
            int length = width();
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
        if (settled) {
            left |= marked;
        } else {
            tick();
        }
        return handed;
    }

    private boolean knows(SelvedgeKnown handed) {
        if (handed.chain >= 0) return handed.chain == chain || handed.chain < width() && clock[handed.chain] >= handed.time;
        int[] theirs = handed.clock;
        int width = width();
        for (int i = 0; i < theirs.length; i++) {
            if (theirs[i] > (i < width ? clock[i] : 0) && i != chain) return false;
        }
        return true;
    }

    @DontInline
    private void learn(SelvedgeKnown handed) {
        if (handed == null || knows(handed)) return;
        int[] theirs = handed.clock;
        int chains = Math.max(theirs.length, handed.chain + 1);
        if (chains > width()) widen(chains);
        for (int i = 0; i < theirs.length; i++) {
            if (theirs[i] > clock[i] && i != chain) clock[i] = theirs[i];
        }
        if (handed.chain >= 0) clock[handed.chain] = handed.time;
        known = null;
        dirty = true;
        // What was left at this time is less than what the thread knows now.
        if (left) tick();
        mark();
    }

    /** After a read of a variable. */
    void listen(SelvedgeVariable variable) {
        if (alone) return;
        settles(variable, variable.published);
        if (variable.pending != null) variable.awaitPending();
        learn(variable.published);
    }

    /**
     * Before a write of a variable. If its object is being made, nobody can read the variable before the object is passed on: either that hands over all that was
     * done before, or it is a race itself. So the time need not move on, unless somebody who has got the object from the constructor itself reads the variable ({@link #pass}).
     */
    void publish(SelvedgeVariable variable, boolean makes) {
        if (!alone) variable.publish(handOver(settles(variable, variable.published) || makes && settling));
    }

    /** Before a compare-and-set of a variable; {@link SelvedgeVariable#ends} when it is decided. */
    SelvedgePending tries(SelvedgeVariable variable) {
        return alone ? null : variable.begins(handOver(settles(variable, variable.published)));
    }

    // --- locks

    private int find(Object object, int mode) {
        return find(object, mode, heldCount - 1);
    }

    private int find(Object object, int mode, int last) {
        for (int i = last; i >= 0; i--) {
            if (held[i] == object && heldModes[i] == mode) return i;
        }
        return -1;
    }

    private static int hashOf(SelvedgeRecord record, int mode) {
        return Integer.rotateLeft(record.id, mode * 5);
    }

    private void heldChanged(SelvedgeRecord record, int mode, boolean settled) {
        heldHash ^= hashOf(record, mode);
        lockCount = -1;
        if (!settled) heldNow = null;
    }

    /** Where in {@link #lockHashes}, which is brought up to date, all of the locks held are. */
    int allLocks() {
        int count = lockCount < 0 ? hashLocks() : lockCount;
        return count < 2 ? count : 2 * count - 1;
    }

    private int hashLocks() {
        if (lockHashes.length < 2 * heldCount) lockHashes = new int[4 * heldCount];
        int count = 0;
        for (int i = 0; i < heldCount; i++) {
            if (find(held[i], heldModes[i], i - 1) < 0) lockHashes[++count] = hashOf(heldRecords[i], heldModes[i]) ^ phase;
        }
        lockHashes[0] = phase;
        int outermost = lockHashes[1];
        for (int i = 2; i <= count; i++) lockHashes[count + i - 1] = outermost ^= lockHashes[i] ^ phase;
        lockCount = count;
        return count;
    }

    /** A lock was taken: a monitor (mode 0), or one of java.util.concurrent, exclusively (1) or shared (2); its own variables order the latter. */
    void acquired(Object object, SelvedgeRecord record, int mode) {
        if (heldCount == held.length) {
            int more = 2 * heldCount;
            SelvedgeRecord[] records = new SelvedgeRecord[more];
            byte[] modes = new byte[more];
            byte[] told = new byte[more];
            boolean[] settled = new boolean[more];
            Object[] objects = new Object[more];
            System.arraycopy(heldRecords, 0, records, 0, heldCount);
            System.arraycopy(heldModes, 0, modes, 0, heldCount);
            System.arraycopy(heldTold, 0, told, 0, heldCount);
            System.arraycopy(heldSettled, 0, settled, 0, heldCount);
            System.arraycopy(held, 0, objects, 0, heldCount);
            heldSettled = settled;
            heldRecords = records;
            heldModes = modes;
            heldTold = told;
            held = objects;
        }
        int outer = find(object, mode);
        boolean first = outer < 0;
        boolean settled = first ? !eager && settles(record, record.released) : heldSettled[outer];
        int at = heldCount;
        held[at] = object;
        heldRecords[at] = record;
        heldModes[at] = (byte) mode;
        heldTold[at] = (byte) (eager ? 2 : 0);
        heldSettled[at] = settled;
        heldCount = at + 1;
        if (settled) settledCount++;
        if (first) heldChanged(record, mode, settled);
        if (mode == 0 && !alone) learn(record.released);
        if (eager) {
            step(Selvedge.ACQUIRE, object, mode);
        } else {
            untold = true;
        }
        if (first && !settled) stage();
    }

    /** Something is handed over: for locks, accesses from now on are others than those before. */
    void nextPhase() {
        heldHash ^= phase;
        phase += 0x9e3779b1;
        heldHash ^= phase;
        lockCount = -1;
        renew();
    }

    /** A lock will be given back. */
    void releasing(Object object, int mode) {
        int at = find(object, mode);
        if (at < 0) {
            if (mode == 0) leaving(object);
            return;
        }
        SelvedgeRecord record = heldRecords[at];
        int told = heldTold[at];
        boolean settled = heldSettled[at];
        if (settled) settledCount--;
        int moved = --heldCount - at;
        if (moved > 0) {
            System.arraycopy(held, at + 1, held, at, moved);
            System.arraycopy(heldRecords, at + 1, heldRecords, at, moved);
            System.arraycopy(heldModes, at + 1, heldModes, at, moved);
            System.arraycopy(heldTold, at + 1, heldTold, at, moved);
            System.arraycopy(heldSettled, at + 1, heldSettled, at, moved);
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
            // Another thread may have had it meanwhile, while this one waited.
            settled &= record.only == this;
            if (mode == 0 && !alone) record.released = handOver(settled);
        }
        if (!last) return;
        heldChanged(record, mode, settled);
        if (!settled || bound || eager) tick();
    }

    /** A monitor will be given back that was not seen to be taken: memory or the stack ran out then. */
    @DontInline
    private void leaving(Object object) {
        if (alone || eager) return;
        SelvedgeType.of(object).recordOf(object).released = handOver(false);
    }

    /**
     * After the stack ran out while a lock was taken or given back. How often each is held is not known any more: each that is held counts once, so it is handed over
     * whenever it is given back ({@link #leaving}), which is too often and never too seldom. If the stack runs out in here, all is done again.
     */
    @DontInline
    void recount() {
        int kept = 0;
        int settled = 0;
        int hash = phase;
        for (int i = 0; i < heldCount; i++) {
            Object object = held[i];
            byte mode = heldModes[i];
            if (object == null || find(object, mode, kept - 1) >= 0) continue;
            if (mode == 0 && !Thread.holdsLock(object)) {
                boolean told = heldTold[i] == 1;
                heldTold[i] = 0;
                if (told) Selvedge.held0(number, object, mode, false);
                continue;
            }
            SelvedgeRecord record = SelvedgeType.of(object).recordOf(object);
            held[kept] = object;
            heldRecords[kept] = record;
            heldModes[kept] = mode;
            heldTold[kept] = heldTold[i];
            heldSettled[kept] = heldSettled[i];
            hash ^= hashOf(record, mode);
            if (heldSettled[kept++]) settled++;
        }
        for (int i = kept; i < held.length; i++) {
            held[i] = null;
            heldRecords[i] = null;
        }
        heldCount = kept;
        settledCount = settled;
        heldHash = hash;
        lockCount = -1;
        heldNow = null;
        unsure = false;
    }

    /** A monitor will be given back for a while, to wait. */
    void waiting(Object object, SelvedgeRecord record) {
        if (eager) {
            step(Selvedge.WAITING, object, 0);
        } else if (!alone) {
            record.released = handOver(false);
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
            if (find(held[i], heldModes[i], i - 1) >= 0) continue;
            heldTold[i] = 1;
            Selvedge.held0(number, held[i], heldModes[i], true);
        }
    }

    // --- which locks were held when

    @DontInline
    private void note() {
        SelvedgeHeld locks = heldNow;
        if (locks == null) {
            int count = heldCount - settledCount;
            int at = 0;
            while (heldSettled[at]) at++;
            if (count == 1) {
                locks = heldRecords[at].alone(held[at], heldModes[at]);
            } else {
                Reference<?>[] references = new Reference<?>[count];
                int[] modes = new int[count];
                for (int i = 0; i < count; at++) {
                    if (heldSettled[at]) continue;
                    references[i] = heldRecords[at].weak(held[at]);
                    modes[i++] = heldModes[at];
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
        return SelvedgePast.at((int) (word >>> CHAIN), (int) (word >>> TIME) & MAX_TIME);
    }
}
