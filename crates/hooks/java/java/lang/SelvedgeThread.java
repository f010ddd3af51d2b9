package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * The agent's part of a thread: what it has seen last, and how it tells the agent of accesses. What epochs and words are, {@link Selvedge} says.
 */
abstract class SelvedgeThread extends SelvedgeFading {
    /** Whether, for locks, a location is its first thread's own until a second one comes. */
    static boolean owners = true;

    /** Whether arrays are one location each. */
    static boolean wholeArrays;

    /** The view of no array. */
    public static final SelvedgeView NONE = new SelvedgeView(null);

    /** The word for reads of a field that several unordered threads have read. */
    static final long SHARED = -1;

    /** The word for writes of a group of elements that several unordered threads have touched: the agent tells them apart. */
    static final long EXACT = -1;

    /** The words of static fields, by the numbers that the instrumenter gives them. */
    static final SelvedgeArray STATICS = new SelvedgeArray(1 << 16, false);

    static final int RECENT = 1 << 6;
    static final int FINALS = 1 << 8;
    static final int FRESH = 1 << 3;
    static final int TOLD = 1 << 12;
    static final int MAX_TOLD = 1 << 16;
    static final int MAX_VIEWS = 1 << 12;
    static final int RACES = 1 << 6;

    /** With the kind of an access that is told: order is judged already. */
    static final int LOCKS = 4;

    /** With a hash of locks: no time. */
    static final long TOLD_WITH = 1L << 63;

    /** So often one thread reports a race between the same two sites. */
    static final int MAX_REPEATED = 100;

    /** Whether the usual accesses can be dealt with in the shortest way. */
    boolean quick;

    /** Whether the thread reads optimistically: what it reads counts only if the lock turns out to have been free. */
    boolean optimistic;

    /** What the thread has seen last; null before it has. This class is in use before references are. */
    private WeakReference<SelvedgeCaches> caches;

    /** How many objects the thread has made in this epoch that are in the caches, and where the next one comes. */
    int freshCount;
    int freshNext;

    /** So many places are looked at for each array. */
    static final int WAYS = 4;

    /** The static fields. */
    final SelvedgeView statics = new SelvedgeView(null);

    /** The static fields read last in this epoch, by the last two bits of their numbers; 0 for none. */
    int read0;
    int read1;
    int read2;
    int read3;

    /** What the thread has told: the number of the object's record, part and kind, and the locks held. */
    long[] toldWhat;
    long[] toldWith;
    int toldMisses;

    /** Whether the thread makes an atomic access: locks have nothing to say of it. */
    boolean atomically;

    /** Sites of atomic accesses, which do not race with each other. */
    private static volatile boolean[] atomicSites = {};

    /** The site is one of atomic accesses. */
    static void atomic(int site) {
        if (!isAtomic(site)) addAtomic(site);
    }

    private static synchronized void addAtomic(int site) {
        boolean[] more = new boolean[Math.max(atomicSites.length, (site & MAX_SITE) + 64)];
        System.arraycopy(atomicSites, 0, more, 0, atomicSites.length);
        more[site & MAX_SITE] = true;
        atomicSites = more;
    }

    private static boolean isAtomic(int site) {
        boolean[] sites = atomicSites;
        return site < sites.length && sites[site];
    }

    /** Pairs of sites between which races were told, and how often. */
    long[] racePairs;
    int[] raceCounts;

    /** What the thread has seen last, since memory was last collected; null if there is no memory for it. */
    final SelvedgeCaches caches() {
        WeakReference<SelvedgeCaches> held = caches;
        SelvedgeCaches known = held == null ? null : held.get();
        return known == null ? newCaches() : known;
    }

    @DontInline
    private SelvedgeCaches newCaches() {
        freshCount = 0;
        try {
            SelvedgeCaches made = new SelvedgeCaches();
            caches = new WeakReference<>(made);
            return made;
        } catch (OutOfMemoryError error) {
            return null;
        }
    }

    @Override
    void moved() {
        freshCount = 0;
        read0 = read1 = read2 = read3 = 0;
    }

    @Override
    void quicken() {
        quick = !optimistic && !mute && !recording && owners;
    }

    @Override
    void pass() {
        quick = false;
        super.pass();
    }

    @Override
    void forget() {
        caches = null;
        freshCount = 0;
    }

    // --- words

    long word(int site) {
        mark();
        return now << TIME | (site & MAX_SITE) << SITE;
    }

    /** Whether the access of the word is the chain's own, or before what the thread does now. */
    boolean knows(long word) {
        int other = (int) (word >>> CHAIN);
        if (word == 0 || other == chain) return true;
        if (!order) return false;
        return other < width() && clock[other] >= ((int) (word >>> TIME) & MAX_TIME);
    }

    boolean isOther(long word) {
        return word != 0 && word >>> CHAIN != chain;
    }

    /** Two accesses that nothing orders; {@code index} is that of an element. */
    @DontInline
    void race(Object object, int index, int site, int kind, long earlier, int earlierKind) {
        if (!order || inside || isAtomic(site & MAX_SITE) && isAtomic((int) (earlier >>> SITE) & MAX_SITE)) return;
        long pair = (long) site << 32 | (int) (earlier >>> SITE) & MAX_SITE;
        int slot = (int) (pair ^ pair >>> 32) & RACES - 1;
        if (racePairs == null) {
            racePairs = new long[RACES];
            raceCounts = new int[RACES];
        }
        if (racePairs[slot] != pair) {
            racePairs[slot] = pair;
            raceCounts[slot] = 0;
        }
        if (++raceCounts[slot] > MAX_REPEATED) return;
        SelvedgeHeld locks = heldAt(earlier);
        inside = true;
        try {
            flushHeld();
            Selvedge.race0(
                number, object, index, site, kind, earlier, earlierKind,
                locks == null ? null : locks.objects(), locks == null ? null : locks.modes);
        } finally {
            inside = false;
        }
    }

    /** For locks: an access to a location that is not its first thread's own; {@code part} tells locations of an object apart. */
    @DontInline
    void tell(Object object, int part, int index, int site, int kind) {
        if (!begins()) return;
        long what = what(object, part, kind);
        int all = allLocks();
        for (int i = 0; i <= all && caching; i++) {
            if (isTold(what, TOLD_WITH | lockHashes[i] & 0xffffffffL)) return;
        }
        int enough = event(object, index, site, kind | LOCKS, all);
        noteTold(what, TOLD_WITH | lockHashes[enough] & 0xffffffffL);
    }

    /** An access to be judged by order, too: once in an epoch. */
    @DontInline
    void tellInOrder(Object object, int part, int index, int site, int kind) {
        if (!begins()) return;
        long what = what(object, part, kind);
        if (caching && isTold(what, now)) return;
        event(object, index, site, kind, 0);
        noteTold(what, now);
    }

    /** Something is to be told, unless it was; whether that can be. */
    private boolean begins() {
        if (inside) return false;
        mark();
        relies();
        return toldWhat != null || makeTold(TOLD);
    }

    /** Tells of an access. Which of the locks held, in {@link #lockHashes}, are enough that such an access need not be told again; {@code all} if all are needed. */
    int event(Object object, int index, int site, int kind, int all) {
        inside = true;
        try {
            flushHeld();
            int answer = Selvedge.event0(number, object == STATICS ? null : object, index, site, kind);
            int enough = answer & 0xffff;
            // If the agent takes two locks for one, it counts otherwise.
            int held = answer >>> 16;
            return answer < 0 || (held < 2 ? held : 2 * held - 1) != all || enough > all ? all : enough;
        } finally {
            inside = false;
        }
    }

    private static long what(Object object, int part, int kind) {
        int id = object == STATICS ? 0 : SelvedgeType.of(object).recordOf(object).id;
        return (long) id << 32 | (part << 1 | kind) & 0xffffffffL;
    }

    private int slotOf(long what, long with) {
        int hash = (int) (what >>> 32) * 31 + (int) what * 7 + (int) with;
        return (hash ^ hash >>> 16) & toldWhat.length - 1;
    }

    private boolean isTold(long what, long with) {
        int slot = slotOf(what, with);
        return toldWhat[slot] == what && toldWith[slot] == with;
    }

    private void noteTold(long what, long with) {
        int slot = slotOf(what, with);
        if (toldWhat[slot] != 0 && ++toldMisses > 2 * toldWhat.length && toldWhat.length < MAX_TOLD) {
            if (makeTold(4 * toldWhat.length)) slot = slotOf(what, with);
        }
        toldWhat[slot] = what;
        toldWith[slot] = with;
    }

    /** Makes room for so much that was told; whether there is memory for it. */
    private boolean makeTold(int size) {
        toldMisses = 0;
        try {
            long[] what = new long[size];
            toldWith = new long[size];
            toldWhat = what;
            return true;
        } catch (OutOfMemoryError error) {
            return false;
        }
    }

    void record(Object object, int index, int site, int kind) {
        if (inside) return;
        inside = true;
        try {
            flushHeld();
            Selvedge.event0(number, object, index, site, kind | 2);
        } finally {
            inside = false;
        }
    }
}
