package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What instrumented code calls. The quick answers are given here, in code that the JIT compiler sees through; what is new
 * goes to the agent by the native methods.
 *
 * <p>An instance is the agent's part of a thread, held by a field that the agent adds to {@code Thread}. Nothing in here may
 * call instrumented code, allocate where it can be avoided, or throw.
 *
 * <p><b>Epochs.</b> A thread's epoch changes whenever it releases something. Within one epoch, a repeated access by one
 * thread to one location tells no detector anything new: nothing is ordered after the one and not after the other, and the locks
 * held at the second are at least those held at the first. An epoch is a chain (a sequence of threads each of which starts after
 * the end of the one before, so that a program with few threads at a time has few chains) and the chain's time.
 *
 * <p><b>Words.</b> The last access to a location is a word: chain (15 bits), time (28), site (20), and whether a
 * second thread has touched the location (1). A field has three words, in fields that the agent adds to its class, for the last write,
 * the last read, and that of a second chain. If nothing orders the last reads of more than two, the word for reads is {@link #SHARED}, and
 * each chain has a row of words, one for each field of the class ({@code $selvedgeV}). An array has words of writes
 * for its elements, and for each chain that reads it times of reads ({@link SelvedgeArray}); static fields are the elements of one
 * large array.
 *
 * <p><b>Judging.</b> By order: an access races with an earlier one that its thread's clock does not know. This is decided here;
 * only a race goes to the agent. By locks: once a second thread has touched a location, its accesses go to the agent, except
 * those that the thread has told of with the same locks.
 *
 * <p>Words are written without locks. Two threads that touch a location within a few nanoseconds of each other may not see each
 * other's words if one of the two reads; the next such access does.
 */
public final class Selvedge {
    /** Off before the program starts, after the machine's end has begun, and after a failure in here. */
    private static boolean on;

    /** How races are told: by order, by locks, or both; set by the agent. */
    private static boolean order;
    private static boolean locks;

    /** Whether, for locks, a location is its first thread's own until a second one comes. */
    private static boolean owners = true;

    /** Whether arrays are one location each. */
    private static boolean wholeArrays;

    /** Whether every access is told, to be recorded. */
    private static boolean recording;

    /** Whether no second thread has been seen. */
    private static boolean alone = true;

    /** The view of no array. */
    public static final SelvedgeView NONE = new SelvedgeView(null);

    /** Of which thread everything is dropped: before the agent is on. Made before anything is called that may be observed. */
    private static final Selvedge NOBODY = new Selvedge();

    static {
        NOBODY.mute = true;
    }

    /** Set when the agent begins: this class may be in use before the machine is ready for that one. */
    private static Unsafe unsafe;
    private static long longs;

    /** Where the site begins in a word, and where the epoch does. */
    private static final int SITE = 1;
    private static final int EPOCH = 21;
    private static final int CHAIN = 49;
    private static final int MAX_SITE = (1 << EPOCH - SITE) - 1;
    private static final int MAX_TIME = (1 << CHAIN - EPOCH) - 1;
    private static final int MAX_CHAIN = (1 << 64 - CHAIN) - 2;

    /** The word for reads of a field that several unordered threads have read. */
    private static final long SHARED = -1;

    /** The word for writes of a group of elements that several unordered threads have touched: the agent tells them apart. */
    private static final long EXACT = -1;

    /** The words of static fields, by the numbers that the instrumenter gives them. */
    private static final SelvedgeArray STATICS = new SelvedgeArray(1 << 16, false);

    /** Sites of fields that turned out not to be volatile. */
    private static final int QUIET = 1 << 16;
    private static final boolean[] quiet = new boolean[QUIET];

    private static final int RECENT = 1 << 6;
    private static final int ARRAYS = 1 << 4;
    private static final int FINALS = 1 << 8;
    private static final int FRESH = 1 << 3;
    private static final int TOLD = 1 << 12;
    private static final int MAX_VIEWS = 1 << 12;
    private static final int RACES = 1 << 6;

    /** So often a race between the same two sites is told by one thread. */
    private static final int MAX_REPEATED = 100;

    /** Where in {@link #clock} the agent leaves other things: chain, time, number, a hash of the locks held, collections so far. */
    private static final int CLOCK = 64;

    /** The epoch to compare words with; -1, that of no word, if every access is to be told. */
    public long epoch = -1;
    /** The time of the epoch, to compare times with; -1 if every access is to be told. */
    private int time = -1;
    /** The epoch. */
    private long now;
    private int chain;
    private int number;
    /** Whether the thread is not observed: there are too many. */
    private boolean mute;
    /** How much of each low chain came before what the thread does now; written by the agent. */
    private final int[] clock = new int[CLOCK + 5];
    private int collections;
    /** Whether the thread is in the agent already. */
    private boolean inside;
    /** Whether the usual accesses can be dealt with in the shortest way. */
    private boolean quick;

    /** Whether the thread reads optimistically: what it reads counts only if the lock turns out to have been free. */
    private boolean optimistic;

    /** Static final fields that the thread has read. */
    private int[] finals;

    /** Library objects called last, by site, with site and epoch. */
    private Object[] called;
    private long[] calledAt;

    /** Arrays and library objects that the thread has made last, in this epoch: they are its own. */
    private final Object[] fresh = new Object[FRESH];
    private final SelvedgeView[] freshViews = new SelvedgeView[FRESH];
    private int freshCount;
    private int freshNext;

    /** Arrays seen last, by site. */
    private final SelvedgeView[] recent = new SelvedgeView[RECENT];

    /** Arrays seen lately, by identity. */
    private SelvedgeView[] views = new SelvedgeView[1 << 4];
    private int viewMisses;

    /** The static fields. */
    private final SelvedgeView statics = new SelvedgeView(null);

    /** What the thread has told: object, part and kind, and the locks held. */
    private Object[] toldObject;
    private long[] toldPart;
    private long[] toldWith;

    /** Pairs of sites between which races were told, and how often. */
    private long[] racePairs;
    private int[] raceCounts;

    private Selvedge() {
        for (int i = 0; i < RECENT; i++) recent[i] = NONE;
    }

    /** Takes over what the agent says of the thread in {@link #clock}. */
    private void update() {
        // What one thread does while there is no other is before everything that others do.
        if (alone && now != 0) return;
        int told = clock[CLOCK + 1];
        long next = (long) chain << CHAIN - EPOCH | (told < MAX_TIME ? told : MAX_TIME);
        if (next != now) {
            now = next;
            epoch = recording ? -1 : next;
            time = recording ? -1 : (int) next & MAX_TIME;
            freshCount = 0;
        }
        if (collections != clock[CLOCK + 4]) forget();
    }

    /** After a collection: what only the caches hold may go. */
    private void forget() {
        collections = clock[CLOCK + 4];
        java.util.Arrays.fill(views, null);
        java.util.Arrays.fill(recent, NONE);
        java.util.Arrays.fill(fresh, null);
        java.util.Arrays.fill(freshViews, null);
        freshCount = 0;
        if (toldObject != null) java.util.Arrays.fill(toldObject, null);
        if (called != null) java.util.Arrays.fill(called, null);
    }

    /** The current thread's part. */
    @ForceInline
    public static Selvedge me() {
        Thread thread = Thread.currentThread();
        Selvedge me = thread.$selvedge;
        return me == null ? attach(thread, -1) : me;
    }

    /** Gives a thread its part; {@code parent} is the number of the thread that starts it, or -1. */
    @DontInline
    private static Selvedge attach(Thread thread, int parent) {
        if (!on) return NOBODY;
        Selvedge made = new Selvedge();
        numberFor(thread, parent, made.clock);
        made.number = made.clock[CLOCK + 2];
        if (made.number != 0) alone = false;
        made.chain = made.clock[CLOCK];
        made.mute = made.chain > MAX_CHAIN;
        made.statics.attach(STATICS, made.chain);
        made.collections = made.clock[CLOCK + 4];
        made.update();
        made.quick = !made.mute && !recording;
        thread.$selvedge = made;
        return made;
    }

    /** Methods that were executed, by the numbers that the instrumenter gives those that a plan lists. */
    private static final int METHODS = 1 << 16;
    private static final boolean[] executed = new boolean[METHODS];

    /** At the entry of a method that a plan lists. */
    @ForceInline
    public static void ran(int method) {
        if (method < METHODS && !executed[method]) executed[method] = true;
    }

    // --- words

    private long word(int site) {
        return now << EPOCH | (site & MAX_SITE) << SITE;
    }

    /** Whether the access of the word is the chain's own, or before what the thread does now. */
    private boolean knows(long word) {
        int other = (int) (word >>> CHAIN);
        if (word == 0 || other == chain) return true;
        if (!order) return false;
        int time = (int) (word >>> EPOCH) & MAX_TIME;
        return other < CLOCK ? clock[other] >= time : knows0(number, other, time);
    }

    private boolean isOther(long word) {
        return word != 0 && word >>> CHAIN != chain;
    }

    /** Two accesses that nothing orders; {@code index} is that of an element. */
    private void race(Object object, int index, int site, int kind, long earlier, int earlierKind) {
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
            race0(number, object, index, site, kind, earlier, earlierKind);
        } finally {
            inside = false;
        }
    }

    /** For locks: an access to a location that is not its first thread's own; {@code part} tells locations of an object apart. */
    private void tell(Object object, int part, int index, int site, int kind, long with) {
        if (inside) return;
        if (toldObject == null) {
            toldObject = new Object[TOLD];
            toldPart = new long[TOLD];
            toldWith = new long[TOLD];
        }
        long what = (long) part << 1 | kind;
        int slot = System.identityHashCode(object) * 31 + (int) what * 7 + (int) with & TOLD - 1;
        if (toldObject[slot] == object && toldPart[slot] == what && toldWith[slot] == with) return;
        toldObject[slot] = object;
        toldPart[slot] = what;
        toldWith[slot] = with;
        inside = true;
        try {
            event0(number, object == STATICS ? null : object, index, site, kind);
        } finally {
            inside = false;
        }
    }

    /** The locks held, for {@link #tell}. */
    private long held() {
        return 1L << 63 | clock[CLOCK + 3];
    }

    private void record(Object object, int index, int site, int kind) {
        if (inside) return;
        inside = true;
        try {
            event0(number, object, index, site, kind | 2);
        } finally {
            inside = false;
        }
    }

    // --- fields of objects

    /** Offsets of the words of fields, by their numbers: of reads, of writes, of rows, position and count in the rows, second reads. */
    private static long[][] places = new long[256][];
    private static final long[] NOWHERE = {};

    /** Whether the thread has read the field in this epoch, one of those that several have. */
    @ForceInline
    public boolean sees(Object rows, int position) {
        long[][] all = (long[][]) rows;
        long[] own;
        return all != null && chain < all.length && (own = all[chain]) != null && own[position] >>> EPOCH == epoch;
    }

    /** A read of a field, the first in this epoch. */
    @DontInline
    public void fieldRead(Object object, int site, int field) {
        if (!on || inside || mute || optimistic) return;
        long[] place = place(object, field);
        if (place.length == 0) return;
        long read = unsafe.getLong(object, place[0]);
        long write = unsafe.getLong(object, place[1]);
        if (recording) {
            record(object, 0, site, 0);
            if (read == SHARED) {
                if (row(object, place, chain)[(int) place[3]] >>> EPOCH == now) return;
            } else if (read >>> EPOCH == now || unsafe.getLong(object, place[5]) >>> EPOCH == now) {
                return;
            }
        }
        long second = unsafe.getLong(object, place[5]);
        boolean shared = ((read | second | write) & 1) != 0 || isOther(read) || isOther(second) || isOther(write);
        noteRead(object, place, read, word(site) | (shared ? 1 : 0));
        write = unsafe.getLong(object, place[1]);
        if (!knows(write)) race(object, 0, site, 0, write, 1);
        if (locks && (shared || !owners)) tell(object, field, 0, site, 0, held());
    }

    /** Puts the word of a read where it takes the place of one that says nothing more: first of the chain's own. */
    private void noteRead(Object object, long[] place, long read, long word) {
        int position = (int) place[3];
        while (read != SHARED) {
            long second = unsafe.getLong(object, place[5]);
            if (second >>> CHAIN == chain && second != 0 || read != 0 && !knows(read) && knows(second)) {
                if (unsafe.compareAndSetLong(object, place[5], second, word)) return;
            } else if (knows(read)) {
                if (unsafe.compareAndSetLong(object, place[0], read, word)) return;
            } else {
                row(object, place, (int) (read >>> CHAIN))[position] = read;
                row(object, place, (int) (second >>> CHAIN))[position] = second;
                row(object, place, chain)[position] = word;
                if (unsafe.compareAndSetLong(object, place[0], read, SHARED)) return;
            }
            read = unsafe.getLong(object, place[0]);
        }
        row(object, place, chain)[position] = word;
    }

    /** A write of a field, the first in this epoch. */
    @DontInline
    public void fieldWrite(Object object, int site, int field) {
        if (!on || inside || mute) return;
        long[] place = place(object, field);
        if (place.length == 0) return;
        long write = unsafe.getLong(object, place[1]);
        long read = unsafe.getLong(object, place[0]);
        if (recording) {
            record(object, 0, site, 1);
            if (write >>> EPOCH == now) return;
        }
        long second = unsafe.getLong(object, place[5]);
        boolean shared = ((read | second | write) & 1) != 0 || isOther(read) || isOther(second) || isOther(write);
        write = unsafe.getAndSetLong(object, place[1], word(site) | (shared ? 1 : 0));
        if (!knows(write)) {
            race(object, 0, site, 1, write, 1);
        } else {
            read = unsafe.getLong(object, place[0]);
            if (read == SHARED) {
                read = unknownRead((long[][]) unsafe.getReference(object, place[2]), (int) place[3]);
                // All reads are before this write: from now on they say nothing that it does not say.
                if (read == 0) unsafe.putLong(object, place[0], 0);
            } else if (knows(read)) {
                read = unsafe.getLong(object, place[5]);
            }
            if (!knows(read)) race(object, 0, site, 1, read, 0);
        }
        if (locks && (shared || !owners)) tell(object, field, 0, site, 1, held());
    }

    /** The word of a read that the thread does not know, 0 if there is none. */
    private long unknownRead(long[][] rows, int position) {
        if (rows == null) return 0;
        for (int other = 0; other < rows.length; other++) {
            long[] row = rows[other];
            if (row != null && position < row.length && !knows(row[position])) return row[position];
        }
        return 0;
    }

    /** The word of a read of an element that the thread does not know, 0 if there is none. */
    private long unknownRead(SelvedgeArray shadow, int at) {
        int[][] rows = shadow.reads;
        for (int other = 0; other < rows.length; other++) {
            int[] row = rows[other];
            if (row == null || at >= row.length || row[at] == 0) continue;
            long word = ((long) other << CHAIN - EPOCH | row[at]) << EPOCH;
            if (!knows(word)) return word | (shadow.site(other, at) & MAX_SITE) << SITE;
        }
        return 0;
    }

    /** The words of the chain's reads of the object's shared fields, made if there are none. */
    private static long[] row(Object object, long[] place, int chain) {
        long[][] rows = (long[][]) unsafe.getReference(object, place[2]);
        if (rows != null && chain < rows.length && rows[chain] != null) return rows[chain];
        synchronized (STATICS) {
            rows = (long[][]) unsafe.getReference(object, place[2]);
            if (rows == null || chain >= rows.length) {
                long[][] more = new long[chain + 2][];
                if (rows != null) System.arraycopy(rows, 0, more, 0, rows.length);
                rows = more;
            }
            if (rows[chain] == null) rows[chain] = new long[(int) place[4]];
            unsafe.putReference(object, place[2], rows);
            return rows[chain];
        }
    }

    /** Where the words of the field are in the object; empty if that cannot be found out. */
    private long[] place(Object object, int field) {
        long[][] known = places;
        long[] place = field < known.length ? known[field] : null;
        return place == null ? findPlace(object, field) : place;
    }

    private long[] findPlace(Object object, int field) {
        inside = true;
        long[] place = NOWHERE;
        try {
            // Class, field, position in rows, length of rows.
            String[] said = field0(field).split(":");
            Class<?> declaring = object.getClass();
            while (declaring != null && !declaring.getName().equals(said[0])) declaring = declaring.getSuperclass();
            if (declaring != null) {
                place = new long[] {
                    unsafe.objectFieldOffset(declaring, "$selvedgeR$" + said[1]),
                    unsafe.objectFieldOffset(declaring, "$selvedgeW$" + said[1]),
                    unsafe.objectFieldOffset(declaring, "$selvedgeV"),
                    Integer.parseInt(said[2]),
                    Integer.parseInt(said[3]),
                    unsafe.objectFieldOffset(declaring, "$selvedgeS$" + said[1]),
                };
            }
        } catch (Throwable failure) {
            // The field is not observed.
        } finally {
            inside = false;
        }
        synchronized (STATICS) {
            long[][] all = places;
            if (field >= all.length) {
                long[][] more = new long[2 * field][];
                System.arraycopy(all, 0, more, 0, all.length);
                all = more;
            }
            all[field] = place;
            places = all;
        }
        return place;
    }

    /** A read of a field of an object without words. */
    public static void plainRead(Object object, Selvedge me, int site) {
        if (on && object != null) me.plain(object, site, 0);
    }

    /** A write of a field of an object without words. */
    public static void plainWrite(Object object, Selvedge me, int site) {
        if (on && object != null) me.plain(object, site, 1);
    }

    private void plain(Object object, int site, int kind) {
        if (inside || mute) return;
        inside = true;
        try {
            plain0(number, object, 2L * number + 2, site, kind);
        } finally {
            inside = false;
        }
    }

    // --- static fields

    /** A read of the static field of this number. */
    @ForceInline
    public static void staticRead(int slot, Selvedge me, int site) {
        int[] reads = me.statics.reads;
        if (slot < reads.length && reads[slot] == me.time) return;
        me.staticAccess(slot, site, 0);
    }

    /** A write of the static field of this number. */
    @ForceInline
    public static void staticWrite(int slot, Selvedge me, int site) {
        long[] writes = me.statics.writes;
        if (slot < writes.length && writes[slot] >>> EPOCH == me.epoch) return;
        me.staticAccess(slot, site, 1);
    }

    @DontInline
    private void staticAccess(int slot, int site, int kind) {
        if (!on || inside || mute || slot == 0) return;
        int[] reads = statics.reads;
        // Whoever touches a static field for the first time sees that its class is initialised.
        boolean seen = slot < reads.length && reads[slot] != 0
            || slot < statics.writes.length && statics.writes[slot] >>> CHAIN == chain && statics.writes[slot] != 0;
        if (!seen) seesClass(site);
        if (kind == 0) {
            elementRead(statics, slot, site);
        } else {
            elementWrite(statics, slot, site);
        }
    }

    private void seesClass(int site) {
        inside = true;
        try {
            seesClass0(number, site, clock);
        } finally {
            inside = false;
        }
    }

    /** After a read of the static final field of this number: whoever sees it sees that its class is initialised. */
    public static void finalRead(int slot, int site) {
        if (!on) return;
        Selvedge me = me();
        if (me.inside) return;
        if (me.finals == null) me.finals = new int[FINALS];
        if (me.finals[slot & FINALS - 1] == slot) return;
        me.finals[slot & FINALS - 1] = slot;
        me.seesClass(site);
    }

    /** At the end of a class's initialisation. */
    public static void initialised(int site) {
        if (!on) return;
        Selvedge me = me();
        if (me.inside) return;
        me.inside = true;
        try {
            initialised0(me.number, site, me.clock);
            me.update();
        } finally {
            me.inside = false;
        }
    }

    // --- arrays

    /** A read of an element. Returns the view of the array, for the next access of the same place. */
    @ForceInline
    public static SelvedgeView arrayRead(Object array, int index, SelvedgeView view, Selvedge me, int site) {
        if (view.array != array) {
            view = me.recent[site & RECENT - 1];
            if (view.array != array) view = me.view(array, site);
        }
        int[] times = view.reads;
        int at = index >> view.shift;
        if (at >= 0 && at < times.length) {
            if (times[at] == me.time || me.readsKnown(view, times, at, site)) return view;
        } else if (view.fresh == me.epoch) {
            return view;
        }
        me.elementRead(view, index, site);
        return view;
    }

    /** A write of an element. Returns the view of the array, for the next access of the same place. */
    @ForceInline
    public static SelvedgeView arrayWrite(Object array, int index, SelvedgeView view, Selvedge me, int site) {
        if (view.array != array) {
            view = me.recent[site & RECENT - 1];
            if (view.array != array) view = me.view(array, site);
        }
        long[] words = view.writes;
        int at = index >> view.shift;
        if (at >= 0 && at < words.length) {
            if (words[at] >>> EPOCH == me.epoch || me.writesKnown(view, words, at, site)) return view;
        } else if (view.fresh == me.epoch) {
            return view;
        }
        me.elementWrite(view, index, site);
        return view;
    }

    /** Whether the access of the word is before what the thread does now; if not, it may be nevertheless. */
    private boolean surelyKnows(long word) {
        int other = (int) (word >>> CHAIN);
        return other < CLOCK && clock[other] >= ((int) (word >>> EPOCH) & MAX_TIME);
    }

    /** The usual first read of an element in an epoch: the last write is known. Whether it was that; then it is done. */
    private boolean readsKnown(SelvedgeView view, int[] times, int at, int site) {
        long[] writes = view.writes;
        if (!quick || at >= writes.length || view.shadow.ranges.length != 0) return false;
        long write = writes[at];
        if (locks ? write >>> CHAIN != chain || !view.shadow.isOwn(chain) : !surelyKnows(write)) return false;
        view.shadow.touch(view.latest, 0, time);
        times[at] = time;
        view.sites[at] = site;
        return true;
    }

    /** The usual first write of an element in an epoch: the last write is known, and nobody else reads the array. */
    private boolean writesKnown(SelvedgeView view, long[] words, int at, int site) {
        if (!quick || view.shadow.ranges.length != 0) return false;
        long write = words[at];
        if (locks ? write >>> CHAIN != chain || !view.shadow.isOwn(chain) : !surelyKnows(write)) return false;
        int reader = view.shadow.reader;
        if (reader != chain && reader != SelvedgeArray.NOBODY) return false;
        view.shadow.touch(view.latest, 1, time);
        words[at] = now << EPOCH | (site & MAX_SITE) << SITE;
        return true;
    }

    /** The view of an array that was not seen last at a place. */
    @DontInline
    private SelvedgeView view(Object array, int site) {
        return array == null || mute ? NONE : (recent[site & RECENT - 1] = find(array));
    }

    private SelvedgeView find(Object array) {
        for (int i = 0; i < freshCount; i++) {
            if (fresh[i] == array) {
                SelvedgeView view = freshViews[i];
                if (view == null) {
                    view = freshViews[i] = new SelvedgeView(array);
                    view.fresh = now;
                }
                return view;
            }
        }
        SelvedgeView[] known = views;
        int slot = System.identityHashCode(array) & known.length - 1;
        SelvedgeView view = known[slot];
        if (view != null && view.array == array) return view;
        SelvedgeView next = known[slot ^ 1];
        if (next != null && next.array == array) return next;
        if (view != null && next != null && ++viewMisses > 2 * known.length && known.length < MAX_VIEWS) {
            viewMisses = 0;
            views = new SelvedgeView[4 * known.length];
            slot = System.identityHashCode(array) & views.length - 1;
        }
        if (views[slot] != null) {
            // The one that was found last stays.
            views[slot ^ 1] = views[slot];
        }
        return views[slot] = new SelvedgeView(array);
    }

    /** Gets the words of a view that has none. Whether there are any. */
    private boolean attach(SelvedgeView view) {
        Object array = view.array;
        if (array == null) return false;
        inside = true;
        try {
            SelvedgeArray shadow = shadow0(array, null);
            if (shadow == null) {
                shadow = shadow0(array, new SelvedgeArray(java.lang.reflect.Array.getLength(array), wholeArrays));
            }
            if (shadow == null) return false;
            view.attach(shadow, chain);
            return true;
        } catch (OutOfMemoryError error) {
            return false;
        } finally {
            inside = false;
        }
    }

    /** The number of the word of an element, after the view got its words if it had none; -1 if there is nothing to be judged. */
    private int placeOf(SelvedgeView view, int index) {
        if (view.fresh == now || view.shadow == null && !attach(view)) return -1;
        int at = index >> view.shift;
        return at < view.shadow.size ? at : -1;
    }

    @DontInline
    private void elementRead(SelvedgeView view, int index, int site) {
        if (!on || inside || mute || optimistic) return;
        if (recording && view != NONE) record(view.array, index, site, 0);
        int at = placeOf(view, index);
        if (at < 0) return;
        SelvedgeArray shadow = view.shadow;
        int[] reads = view.reads;
        if (at >= reads.length) {
            try {
                view.readsOf(reads = shadow.row(chain, at, shadow == STATICS), chain);
            } catch (OutOfMemoryError error) {
                return;
            }
        }
        int time = (int) now & MAX_TIME;
        if (reads[at] == time) return;
        if (shadow.ranges.length != 0) judgeByRanges(view, index, site, 0);
        long[] writes = shadow.writes;
        long write = writes == null ? 0 : writes[at];
        if (write == EXACT) {
            tell(view.array, index, index, site, 0, now);
            return;
        }
        shadow.touch(view.latest, 0, time);
        view.sites[at] = site;
        reads[at] = time;
        if (writes != null) {
            view.writes = writes;
            write = writes[at];
        }
        if (!knows(write)) {
            if (shadow.isGrouped()) {
                apart(view, at, index, site, 0);
            } else {
                race(view.array, index, site, 0, write, 1);
            }
        }
        if (locks) tellElement(view, at, index, site, 0, write);
    }

    @DontInline
    private void elementWrite(SelvedgeView view, int index, int site) {
        if (!on || inside || mute) return;
        if (recording && view != NONE) record(view.array, index, site, 1);
        int at = placeOf(view, index);
        if (at < 0) return;
        SelvedgeArray shadow = view.shadow;
        long[] writes = view.writes;
        if (at >= writes.length) {
            try {
                view.writes = writes = shadow.writes();
            } catch (OutOfMemoryError error) {
                return;
            }
        }
        if (writes[at] >>> EPOCH == now) return;
        if (shadow.ranges.length != 0) judgeByRanges(view, index, site, 1);
        if (writes[at] == EXACT) {
            tell(view.array, index, index, site, 1, now);
            return;
        }
        shadow.touch(view.latest, 1, (int) now & MAX_TIME);
        long write = unsafe.getAndSetLong(writes, longs + 8L * at, word(site));
        long read = knows(write) ? unknownRead(shadow, at) : 0;
        if (!knows(write) || read != 0) {
            if (shadow.isGrouped()) {
                apart(view, at, index, site, 1);
            } else if (!knows(write)) {
                race(view.array, index, site, 1, write, 1);
            } else {
                race(view.array, index, site, 1, read, 0);
            }
        }
        if (locks) tellElement(view, at, index, site, 1, write);
    }

    /** Whether an access to an element races with one of others to many elements. */
    private void judgeByRanges(SelvedgeView view, int index, int site, int kind) {
        for (SelvedgeRange range : view.shadow.ranges) {
            if (range.chain == chain || kind == 0 && !range.writes || knows(range.word) || !range.has(index)) continue;
            race(view.array, index, site, kind, range.word, range.writes ? 1 : 0);
            return;
        }
    }

    // --- many elements at once

    /**
     * After a loop that has read elements in each of its iterations, and in which nothing was released or acquired: the elements
     * {@code delta} apart, from the first on; so many in each iteration, and {@code more}. The loop has counted from 0 by
     * {@code step} up to {@code moved}. Nothing if the array is null: then the loop was not entered.
     */
    @ForceInline
    public static void readRange(
        Object array, int first, int delta, int moved, int step, int each, int more, Selvedge me, int site) {
        if (array == null || moved == 0) return;
        int count = moved / step * each + more;
        SelvedgeView view = me.recent[site & RECENT - 1];
        if (view.array == array && delta > 0 && view.rangeRead.isFull(me.epoch, first, first + delta * (count - 1))) return;
        me.range(array, first, delta, count, site, false);
    }

    /** As {@link #readRange}, for writes. */
    @ForceInline
    public static void writeRange(
        Object array, int first, int delta, int moved, int step, int each, int more, Selvedge me, int site) {
        if (array == null || moved == 0) return;
        int count = moved / step * each + more;
        SelvedgeView view = me.recent[site & RECENT - 1];
        if (view.array == array && delta > 0 && view.rangeWritten.isFull(me.epoch, first, first + delta * (count - 1))) return;
        me.range(array, first, delta, count, site, true);
    }

    /** After such a loop: the array if the iteration in which the loop was left has come as far as {@code place}, otherwise null. */
    @ForceInline
    public static Object reached(Object array, int mark, int place) {
        return mark >= place ? array : null;
    }

    /** A read of an element after the fact; the array may be null. */
    @ForceInline
    public static void readOne(Object array, int index, Selvedge me, int site) {
        if (array != null) arrayRead(array, index, NONE, me, site);
    }

    /** A write of an element after the fact; the array may be null. */
    @ForceInline
    public static void writeOne(Object array, int index, Selvedge me, int site) {
        if (array != null) arrayWrite(array, index, NONE, me, site);
    }

    @DontInline
    private void range(Object array, int first, int delta, int count, int site, boolean writes) {
        if (count <= 0) return;
        SelvedgeView view = recent[site & RECENT - 1];
        if (view.array != array) view = view(array, site);
        int last = first + delta * (count - 1);
        int step = delta;
        if (delta < 0) {
            int low = last;
            last = first;
            first = low;
            step = -delta;
        }
        if (view.rangeWrittenAt == epoch && view.rangeWritten.covers(first, last, step)) return;
        if (!writes && view.rangeReadAt == epoch && view.rangeRead.covers(first, last, step)) return;
        if (view.fresh == epoch || !on || inside || mute || optimistic && !writes) return;
        if (count > 1 && !recording && isKnownRange(view, first, last, step, site, writes)) return;
        for (int i = 0, index = first; i < count; i++, index += step) {
            if (writes) {
                elementWrite(view, index, site);
            } else {
                elementRead(view, index, site);
            }
        }
    }

    /** Notes accesses to many elements of which nothing is to be said but that they were. Whether that was so. */
    private boolean isKnownRange(SelvedgeView view, int first, int last, int step, int site, boolean writes) {
        if (view.shadow == null && !attach(view)) return true;
        SelvedgeArray shadow = view.shadow;
        if (first < 0 || last >> view.shift >= shadow.size || view.shift > 16) return false;
        SelvedgeRange[] ranges = shadow.ranges;
        SelvedgeRange own = ranges == view.seenRanges ? view.range.next : null;
        if (own == null || !own.is(first, last, step, writes)) own = ownRange(view, ranges, first, last, step, writes);
        if (own == null) {
            try {
                own = longer(view, first, last, step, writes);
                own.word = word(site);
                if (!shadow.add(own)) return false;
            } catch (OutOfMemoryError error) {
                return false;
            }
        }
        own.word = word(site);
        if (order) {
            boolean others = view.othersRange || shadow.ranges != view.seenRanges;
            if (others && meetsUnknown(shadow, first, last, step, writes)) return false;
            int singles = shadow.singles;
            if (view.seenSingles != singles) {
                if (shadow.isKnown(clock, CLOCK, chain, true)) {
                    view.seenSingles = singles;
                } else if (!shadow.isKnown(clock, CLOCK, chain, writes) && !knowsWords(shadow, first, last, step, writes)) {
                    return false;
                }
            }
        }
        if (locks) tellRange(view, own, first, last, step, site);
        if (view.range != SelvedgeRange.NONE) view.range.next = own;
        view.range = own;
        if (writes) {
            view.rangeWritten = own;
            view.rangeWrittenAt = now;
        } else {
            view.rangeRead = own;
            view.rangeReadAt = now;
        }
        return true;
    }

    /** The chain's own record of such accesses, null if there is none; notes whether other chains have any. */
    private SelvedgeRange ownRange(
        SelvedgeView view, SelvedgeRange[] ranges, int first, int last, int step, boolean writes) {
        SelvedgeRange own = null;
        boolean others = false;
        for (SelvedgeRange range : ranges) {
            if (range.chain != chain) {
                others = true;
            } else if (range.is(first, last, step, writes)) {
                own = range;
            }
        }
        view.seenRanges = ranges;
        view.othersRange = others;
        return own;
    }

    /** Whether another chain has accessed some of these elements together with others, and nothing orders that before. */
    private boolean meetsUnknown(SelvedgeArray shadow, int first, int last, int step, boolean writes) {
        for (SelvedgeRange range : shadow.ranges) {
            boolean conflicts = range.chain != chain && (writes || range.writes);
            if (conflicts && !knows(range.word) && range.meets(first, last, step)) return true;
        }
        return false;
    }

    /** A record of accesses to these elements; with those of the last such access, if they come right before and the epoch is the same. */
    private SelvedgeRange longer(SelvedgeView view, int first, int last, int step, boolean writes) {
        SelvedgeRange before = writes ? view.rangeWritten : view.rangeRead;
        boolean continues = before.word >>> EPOCH == now && before.step == step && before.last + step == first;
        return new SelvedgeRange(continues ? before.first : first, last, step, chain, writes);
    }

    /** Whether all accesses of others to these elements, one by one, are before what the thread does now. */
    private boolean knowsWords(SelvedgeArray shadow, int first, int last, int step, boolean writes) {
        long[] words = shadow.writes;
        int before = -1;
        for (int index = first; index <= last; index += step) {
            int at = index >> shadow.shift;
            if (at == before) continue;
            before = at;
            if (words != null && !knows(words[at]) || writes && unknownRead(shadow, at) != 0) return false;
        }
        return true;
    }

    /** For locks: tells of those of the elements that are not their first thread's own, unless that was done with the same locks. */
    private void tellRange(SelvedgeView view, SelvedgeRange own, int first, int last, int step, int site) {
        SelvedgeArray shadow = view.shadow;
        // A chain may be several threads.
        int with = (clock[CLOCK + 3] ^ number * 0x9e3779b1) | 1;
        int shares = shadow.shares;
        if (own.told == with && own.shares == shares) return;
        if (!shadow.apart && (!shadow.isTold || shadow.toldSingles == shadow.singles)) {
            tellWalk(view, own, first, last, step, site, with);
            if (!shadow.apart) return;
        }
        for (int index = first; index <= last; index += step) {
            int at = index >> view.shift;
            long[] words = shadow.writes;
            tellElement(view, at, index, site, own.writes ? 1 : 0, words == null ? 0 : words[at]);
        }
        // A record of more elements than these is told of anew, should it be the same once more.
        if (own.first != first) return;
        own.told = with;
        own.shares = shares;
    }

    /** For locks: tells of accesses to many elements at once, if another chain has touched the array; then of those before it, too. */
    private void tellWalk(SelvedgeView view, SelvedgeRange own, int first, int last, int step, int site, int with) {
        SelvedgeArray shadow = view.shadow;
        if (inside || owners && !shadow.isTouchedByOthers(chain)) return;
        inside = true;
        try {
            synchronized (shadow) {
                if (!shadow.isTold) {
                    shadow.toldSingles = shadow.singles;
                    for (int of = shadow.chains() - 1; of >= 0; of--) tellSingles(view, of);
                    for (SelvedgeRange range : shadow.ranges) {
                        if (range != own) tellEarlier(view, range.first, range.last, range.step, range.writes, range.word);
                    }
                    shadow.isTold = true;
                }
                if (shadow.apart) return;
                int became = walk0(number, view.array, first, last, step, site, own.writes ? 1 : 0, 0);
                if (became == 1) shadow.shares++;
                if (became == 2) shadow.apart = true;
                own.shares = shadow.shares;
                own.told = became == 2 || own.first != first || own.last != last ? 0 : with;
            }
        } finally {
            inside = false;
        }
    }

    /** Tells of the elements that a chain has touched one by one, neighbours together: somebody had them before. */
    private void tellSingles(SelvedgeView view, int of) {
        SelvedgeArray shadow = view.shadow;
        int start = -1;
        long word = 0;
        for (int at = 0; at <= shadow.size; at++) {
            long touched = at < shadow.size ? shadow.wordOf(of, at) : 0;
            if (touched != 0 && start < 0) start = at;
            if (touched == 0 && start >= 0) {
                int last = (at << view.shift) - 1;
                tellEarlier(view, start << view.shift, last, 1, true, word);
                start = -1;
            }
            word = touched;
        }
    }

    private void tellEarlier(SelvedgeView view, int first, int last, int step, boolean writes, long word) {
        if (walk0(number, view.array, first, last, step, 0, writes ? 1 : 0, word) == 2) view.shadow.apart = true;
    }

    /** Unordered threads have touched a group of elements; which of them, is not known: they are told apart from now on. */
    private void apart(SelvedgeView view, int at, int index, int site, int kind) {
        if (!order) return;
        view.shadow.writes()[at] = EXACT;
        tell(view.array, index, index, site, kind, now);
    }

    /** For locks: an access to an element; tells of it if a second thread has touched the element. */
    private void tellElement(SelvedgeView view, int at, int index, int site, int kind, long write) {
        SelvedgeArray shadow = view.shadow;
        if (owners && !shadow.isShared(at)) {
            boolean other = isOther(write);
            int[][] rows = shadow.reads;
            for (int i = 0; i < rows.length && !other; i++) {
                other = i != chain && rows[i] != null && at < rows[i].length && rows[i][at] != 0;
            }
            SelvedgeRange[] ranges = shadow.ranges;
            for (int i = 0; i < ranges.length && !other; i++) other = ranges[i].chain != chain && ranges[i].has(index);
            if (!other) return;
            shadow.share(at);
        }
        if (shadow == STATICS) {
            // They are told apart by their numbers, as they have no object.
            tell(STATICS, at, index, site, kind, held());
            return;
        }
        int[] told = view.told(kind);
        int with = clock[CLOCK + 3] | 1;
        if (inside || told[at] == with) return;
        told[at] = with;
        inside = true;
        try {
            event0(number, view.array, index, site, kind);
        } finally {
            inside = false;
        }
    }

    /** After an array or a library object was made. */
    public static void made(Object array) {
        Selvedge me = Thread.currentThread().$selvedge;
        if (me == null) return;
        int slot = me.freshCount < FRESH ? me.freshCount++ : me.freshNext++ & FRESH - 1;
        me.fresh[slot] = array;
        me.freshViews[slot] = null;
    }

    // --- volatile fields and what the library's code does with variables

    /** After a read of a volatile field; the object is null for a static one. */
    public static void volatileRead(Object object, int site) {
        if (on && (site >= QUIET || !quiet[site])) me().volatileAccess(object, site, 0);
    }

    /** Before a write of a volatile field. */
    public static void volatileWrite(Object object, int site) {
        if (on && (site >= QUIET || !quiet[site])) me().volatileAccess(object, site, 1);
    }

    private void volatileAccess(Object object, int site, int kind) {
        if (inside) return;
        inside = true;
        try {
            if (volatile0(number, object, site, kind, clock)) {
                update();
            } else if (site < QUIET) {
                quiet[site] = true;
            }
        } finally {
            inside = false;
        }
    }

    /** A step of library code on a variable of the object: 0 after a read, 1 before a write, 2 around an update. */
    public static void sync(Object object, int kind) {
        if (on && object != null) me().step(kind, object, 0);
    }

    // --- locks, threads: steps of kind 3 and up

    private static final int ACQUIRE = 3;
    private static final int RELEASE = 4;
    private static final int JOIN = 5;
    private static final int PARKED = 6;
    private static final int UNPARK = 7;
    private static final int INTERRUPT = 8;
    private static final int INTERRUPTED = 9;
    private static final int WAITING = 10;
    private static final int WAITED = 11;

    /** After a monitor was entered. */
    public static void entered(Object object) {
        if (on && object != null) me().step(ACQUIRE, object, 0);
    }

    /** Before a monitor is left. */
    public static void exiting(Object object) {
        if (on && object != null) me().step(RELEASE, object, 0);
    }

    /** After a lock of java.util.concurrent was taken; mode 1 exclusive, 2 shared. */
    public static void locked(Object lock, int mode) {
        if (on && lock != null) me().step(ACQUIRE, lock, mode);
    }

    /** After an attempt to take a lock, which has succeeded unless the result is 0. */
    public static void lockedIf(int result, Object lock, int mode) {
        if (result != 0) locked(lock, mode);
    }

    /** After an attempt to take a lock, which has succeeded unless the result is 0. */
    public static void lockedIf(long result, Object lock, int mode) {
        if (result != 0) locked(lock, mode);
    }

    /** After an attempt to read optimistically, which has succeeded unless the result is 0. */
    public static void optimistic(long stamp) {
        if (on) me().optimistic(stamp != 0);
    }

    /** After it was asked whether a lock was free all the time. */
    public static void validated() {
        if (on) me().optimistic(false);
    }

    private void optimistic(boolean is) {
        optimistic = is;
        quick = !is && !mute && !recording;
    }

    /** After an object was made or found to be a view of a lock. */
    public static void view(Object view, Object lock) {
        if (on && view != null && lock != null) {
            Selvedge me = me();
            if (me.inside) return;
            me.inside = true;
            try {
                view0(view, lock);
            } finally {
                me.inside = false;
            }
        }
    }

    /** Before a lock of java.util.concurrent is given back. */
    public static void unlocking(Object lock, int mode) {
        if (on && lock != null) me().step(RELEASE, lock, mode);
    }

    /** Before a thread is started. */
    public static void starting(Object object) {
        if (!on || !(object instanceof Thread)) return;
        Selvedge me = me();
        if (me.inside) return;
        me.inside = true;
        try {
            Thread thread = (Thread) object;
            alone = false;
            if (thread.$selvedge == null) attach(thread, me.number);
            time0(me.number, me.clock);
            me.update();
        } finally {
            me.inside = false;
        }
    }

    /** After a wait for a thread's end, whether or not it has ended. */
    public static void joined(Object object) {
        if (!on || !(object instanceof Thread)) return;
        Selvedge other = ((Thread) object).$selvedge;
        if (other != null) me().step(JOIN, object, other.number);
    }

    /** After the current thread was parked. */
    public static void parked() {
        if (on) me().step(PARKED, Thread.currentThread(), 0);
    }

    /** Before a thread gets its permit. */
    public static void unparking(Object thread) {
        if (on && thread != null) me().step(UNPARK, thread, 0);
    }

    /** Before a thread is interrupted. */
    public static void interrupting(Object thread) {
        if (on && thread != null) me().step(INTERRUPT, thread, 0);
    }

    /** After a thread was asked whether it is interrupted. */
    public static void interrupted(int is, Object thread) {
        if (is != 0 && on && thread != null) me().step(INTERRUPTED, thread, 0);
    }

    private void step(int kind, Object object, int detail) {
        if (inside) return;
        inside = true;
        try {
            if (optimistic) optimistic(false);
            step0(number, kind, object, detail, clock);
            update();
        } finally {
            inside = false;
        }
    }

    // --- calls on library objects

    /** Before a call on what may be an unsynchronised library object. */
    public static void call(Object object, int site) {
        if (on && object != null) me().libraryCall(object, site);
    }

    private void libraryCall(Object object, int site) {
        int slot = site & ARRAYS - 1;
        if (called == null) {
            called = new Object[ARRAYS];
            calledAt = new long[ARRAYS];
        }
        long when = (now ^ (long) site << 43) + 1;
        if (called[slot] == object && calledAt[slot] == when && !recording) return;
        if (inside || mute) return;
        for (int i = 0; i < freshCount; i++) {
            if (fresh[i] == object) return;
        }
        inside = true;
        try {
            called[slot] = object;
            calledAt[slot] = when;
            call0(number, object, 2L * number + 2, site);
        } finally {
            inside = false;
        }
    }

    // --- waiting: the monitor is given back and taken again

    /** {@code object.wait()}. */
    public static void await(Object object) throws InterruptedException {
        await(object, 0L);
    }

    /** {@code object.wait(millis)}. */
    public static void await(Object object, long millis) throws InterruptedException {
        boolean observed = waiting(object);
        try {
            object.wait(millis);
        } finally {
            if (observed) me().step(WAITED, object, 0);
        }
    }

    /** {@code object.wait(millis, nanos)}. */
    public static void await(Object object, long millis, int nanos) throws InterruptedException {
        boolean observed = waiting(object);
        try {
            object.wait(millis, nanos);
        } finally {
            if (observed) me().step(WAITED, object, 0);
        }
    }

    /** Before a wait; whether it is one (without the monitor it is an exception). */
    private static boolean waiting(Object object) {
        if (!on || object == null || !Thread.holdsLock(object)) return false;
        me().step(WAITING, object, 0);
        return true;
    }

    // --- the agent

    /** Calls every native method once, to no effect, before anything else does. */
    private static void bind() {
        unsafe = Unsafe.getUnsafe();
        longs = unsafe.arrayBaseOffset(long[].class);
        numberFor(null, -1, null);
        event0(0, null, 0, 0, -1);
        walk0(0, null, 0, -1, 1, 0, 0, 0);
        race0(0, null, 0, 0, 0, 0, 0);
        knows0(0, 0, 0);
        field0(-1);
        plain0(0, null, 0, 0, 0);
        volatile0(0, null, 0, 0, null);
        step0(0, -1, null, 0, null);
        time0(0, null);
        shadow0(null, null);
        initialised0(0, 0, null);
        seesClass0(0, 0, null);
        view0(null, null);
        call0(0, null, 0, 0);
    }

    /** A new number for a thread, which {@code parent} starts unless it is negative; leaves it and its clock. */
    private static native void numberFor(Thread thread, int parent, int[] clock);

    /** An access to be judged by the agent (kind 0 or 1), or only recorded (2 or 3). */
    private static native void event0(int thread, Object object, int index, int site, int kind);

    /**
     * Accesses to many elements, those of the word if it is not 0: 0 if they say nothing new, 1 if they do, 2 if elements are to be told one by
     * one from now on.
     */
    private static native int walk0(
        int thread, Object array, int first, int last, int step, int site, int kind, long earlier);

    /** Two accesses that nothing orders. */
    private static native void race0(
        int thread, Object object, int index, int site, int kind, long earlier, int earlierKind);

    /** Whether what a chain did at this time is before what the thread does now. */
    private static native boolean knows0(int thread, int chain, int time);

    /** The field of this number: its class, name, position and count, with colons between them. */
    private static native String field0(int field);

    private static native void plain0(int thread, Object object, long mine, int site, int kind);

    /** The words of an array: those that it has, or these if they are not null, or null. */
    private static native SelvedgeArray shadow0(Object array, SelvedgeArray made);

    /** Whether the site is one of a volatile field after all. */
    private static native boolean volatile0(int thread, Object object, int site, int kind, int[] clock);

    private static native void step0(int thread, int kind, Object object, int detail, int[] clock);

    private static native void initialised0(int thread, int site, int[] clock);

    private static native void seesClass0(int thread, int site, int[] clock);

    private static native void time0(int thread, int[] clock);

    private static native void view0(Object view, Object lock);

    private static native void call0(int thread, Object object, long mine, int site);
}
