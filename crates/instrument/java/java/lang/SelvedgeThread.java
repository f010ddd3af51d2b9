package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * The agent's part of a thread: its epoch, its clock, what it has seen last, and how it tells the agent of accesses. What epochs and words
 * are, {@link Selvedge} says.
 */
abstract class SelvedgeThread {
    /** Off before the program starts, after the machine's end has begun, and after a failure in here. */
    static boolean on;

    /** How races are told: by order, by locks, or both; set by the agent. */
    static boolean order;
    static boolean locks;

    /** Whether, for locks, a location is its first thread's own until a second one comes. */
    static boolean owners = true;

    /** Whether arrays are one location each. */
    static boolean wholeArrays;

    /** Whether an access that says nothing new is found out by one comparison; off for measurements. */
    static boolean caching = true;

    /** Whether every access is told, to be recorded. */
    static boolean recording;

    /** Whether no second thread has been seen. */
    static boolean alone = true;

    /** The view of no array. */
    public static final SelvedgeView NONE = new SelvedgeView(null);

    /** Set when the agent begins: this class may be in use before the machine is ready for that one. */
    static Unsafe unsafe;
    static long longs;

    /** Where the site begins in a word, and where the epoch does. */
    static final int SITE = 1;
    static final int EPOCH = 21;
    static final int CHAIN = 49;
    static final int MAX_SITE = (1 << EPOCH - SITE) - 1;
    static final int MAX_TIME = (1 << CHAIN - EPOCH) - 1;
    static final int MAX_CHAIN = (1 << 64 - CHAIN) - 2;

    /** The word for reads of a field that several unordered threads have read. */
    static final long SHARED = -1;

    /** The word for writes of a group of elements that several unordered threads have touched: the agent tells them apart. */
    static final long EXACT = -1;

    /** The words of static fields, by the numbers that the instrumenter gives them. */
    static final SelvedgeArray STATICS = new SelvedgeArray(1 << 16, false);

    /** Sites of fields that turned out not to be volatile. */
    static final int QUIET = 1 << 16;
    static final boolean[] quiet = new boolean[QUIET];

    /**
     * What was last published through the variables of objects, by the objects' hashes: a stamp that is given once. A thread that finds the
     * stamp that it found when it last listened to the object has nothing to learn there. Whoever writes a variable puts the stamp there
     * between telling the agent and writing; so whoever reads what was written finds this stamp or a later one.
     */
    static final int STAMPS = 1 << 16;
    static final long[] stamps = new long[STAMPS];

    static final int HEARD = 1 << 10;
    static final int RECENT = 1 << 6;
    static final int CALLED = 1 << 9;
    static final int FINALS = 1 << 8;
    static final int FRESH = 1 << 3;
    static final int TOLD = 1 << 12;
    static final int MAX_TOLD = 1 << 16;
    static final int MAX_VIEWS = 1 << 12;
    static final int RACES = 1 << 6;

    /** So often a race between the same two sites is told by one thread. */
    static final int MAX_REPEATED = 100;

    /** Where in {@link #clock} the agent leaves other things: chain, time, number, a hash of the locks held, collections so far. */
    static final int CLOCK = 64;

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
    /** How much of each low chain came before what the thread does now; written by the agent. */
    final int[] clock = new int[CLOCK + 5];
    int collections;
    /** Whether the thread is in the agent already. */
    boolean inside;
    /** Whether the usual accesses can be dealt with in the shortest way. */
    boolean quick;

    /** Whether the thread reads optimistically: what it reads counts only if the lock turns out to have been free. */
    boolean optimistic;

    /** Static final fields that the thread has read. */
    int[] finals;

    /** Objects to whose variables the thread has listened last, by hash, and the stamps it has found. */
    final Object[] heard = new Object[HEARD];
    final long[] heardAt = new long[HEARD];
    /** How often the thread has published something through a variable. */
    long published;

    /** Library objects called last, by object and site, with site and epoch. */
    Object[] called;
    long[] calledAt;

    /** Arrays and library objects that the thread has made last, in this epoch: they are its own. */
    final Object[] fresh = new Object[FRESH];
    final SelvedgeView[] freshViews = new SelvedgeView[FRESH];
    int freshCount;
    int freshNext;

    /** Arrays seen last, by site. */
    final SelvedgeView[] recent = new SelvedgeView[RECENT];

    /** Arrays seen lately, by identity; so many places are looked at for each. */
    static final int WAYS = 4;
    SelvedgeView[] views = new SelvedgeView[1 << 4];
    int viewMisses;

    /** The static fields. */
    final SelvedgeView statics = new SelvedgeView(null);

    /** The static fields read last in this epoch, by the last two bits of their numbers; 0 for none. */
    int read0;
    int read1;
    int read2;
    int read3;

    /** What the thread has told: object, part and kind, and the locks held. */
    Object[] toldObject;
    long[] toldPart;
    long[] toldWith;
    int toldMisses;

    /** Pairs of sites between which races were told, and how often. */
    long[] racePairs;
    int[] raceCounts;

    SelvedgeThread() {
        for (int i = 0; i < RECENT; i++) recent[i] = NONE;
    }

    /** Takes over what the agent says of the thread in {@link #clock}. */
    void update() {
        // What one thread does while there is no other is before everything that others do.
        if (alone && now != 0) return;
        int told = clock[CLOCK + 1];
        long next = (long) chain << CHAIN - EPOCH | (told < MAX_TIME ? told : MAX_TIME);
        if (next != now) {
            now = next;
            boolean all = recording || !caching;
            epoch = all ? -1 : next;
            time = all ? -1 : (int) next & MAX_TIME;
            freshCount = 0;
            read0 = read1 = read2 = read3 = 0;
        }
        if (collections != clock[CLOCK + 4]) forget();
    }

    /** After a collection: what only the caches hold may go. */
    void forget() {
        collections = clock[CLOCK + 4];
        java.util.Arrays.fill(views, null);
        java.util.Arrays.fill(recent, NONE);
        java.util.Arrays.fill(heard, null);
        java.util.Arrays.fill(fresh, null);
        java.util.Arrays.fill(freshViews, null);
        freshCount = 0;
        if (toldObject != null) java.util.Arrays.fill(toldObject, null);
        if (called != null) java.util.Arrays.fill(called, null);
    }

    // --- variables

    static long stampOf(Object object) {
        return stamps[System.identityHashCode(object) & STAMPS - 1];
    }

    /** Whether the thread has listened to the object when it had this stamp. */
    boolean hasHeard(Object object, long stamp) {
        int slot = System.identityHashCode(object) & HEARD - 1;
        return heard[slot] == object && heardAt[slot] == stamp && !optimistic;
    }

    /** The thread has listened to the object. */
    void hears(Object object, long stamp) {
        if (recording) return;
        int slot = System.identityHashCode(object) & HEARD - 1;
        heard[slot] = object;
        heardAt[slot] = stamp;
    }

    /** The agent was told of a write, which comes next. */
    void publishes(Object object) {
        stamps[System.identityHashCode(object) & STAMPS - 1] = (long) number << 40 | ++published;
    }

    // --- words

    long word(int site) {
        return now << EPOCH | (site & MAX_SITE) << SITE;
    }

    /** Whether the access of the word is the chain's own, or before what the thread does now. */
    boolean knows(long word) {
        int other = (int) (word >>> CHAIN);
        if (word == 0 || other == chain) return true;
        if (!order) return false;
        int time = (int) (word >>> EPOCH) & MAX_TIME;
        return other < CLOCK ? clock[other] >= time : Selvedge.knows0(number, other, time);
    }

    boolean isOther(long word) {
        return word != 0 && word >>> CHAIN != chain;
    }

    /** Two accesses that nothing orders; {@code index} is that of an element. */
    void race(Object object, int index, int site, int kind, long earlier, int earlierKind) {
        if (!order || inside) return;
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
        inside = true;
        try {
            Selvedge.race0(number, object, index, site, kind, earlier, earlierKind);
        } finally {
            inside = false;
        }
    }

    /** For locks: an access to a location that is not its first thread's own; {@code part} tells locations of an object apart. */
    void tell(Object object, int part, int index, int site, int kind, long with) {
        if (inside) return;
        if (toldObject == null && !makeTold(TOLD)) return;
        long what = (long) part << 1 | kind;
        int hash = System.identityHashCode(object) * 31 + (int) what * 7 + (int) with;
        int slot = hash & toldObject.length - 1;
        if (caching && toldObject[slot] == object && toldPart[slot] == what && toldWith[slot] == with) return;
        if (toldObject[slot] != null && ++toldMisses > 2 * toldObject.length && toldObject.length < MAX_TOLD) {
            if (makeTold(4 * toldObject.length)) slot = hash & toldObject.length - 1;
        }
        toldObject[slot] = object;
        toldPart[slot] = what;
        toldWith[slot] = with;
        inside = true;
        try {
            Selvedge.event0(number, object == STATICS ? null : object, index, site, kind);
        } finally {
            inside = false;
        }
    }

    /** Makes room for so much that was told; whether there is memory for it. */
    private boolean makeTold(int size) {
        toldMisses = 0;
        try {
            Object[] objects = new Object[size];
            long[] parts = new long[size];
            toldWith = new long[size];
            toldPart = parts;
            toldObject = objects;
            return true;
        } catch (OutOfMemoryError error) {
            return false;
        }
    }

    /** The locks held, for {@link #tell}. */
    long held() {
        return 1L << 63 | clock[CLOCK + 3];
    }

    void record(Object object, int index, int site, int kind) {
        if (inside) return;
        inside = true;
        try {
            Selvedge.event0(number, object, index, site, kind | 2);
        } finally {
            inside = false;
        }
    }
}
