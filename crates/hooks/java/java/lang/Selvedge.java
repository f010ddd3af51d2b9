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
 * <p><b>Epochs.</b> A thread's epoch ends when it releases something. Within one epoch, a repeated access by one
 * thread to one location tells no detector anything new: nothing is ordered after the one and not after the other, and the locks
 * held at the second are at least those held at the first. An epoch is a chain (a sequence of threads each of which starts after
 * the end of the one before, so that a program with few threads at a time has few chains) and the chain's time.
 *
 * <p><b>Words.</b> The last access to a location is a word: chain (13 bits), time (30: 28 for the epoch, 2 for the stage), site (20), and whether a
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
 * other's words if one of the two reads, or if only one of the two has touched the location so far; the next such access does.
 */
public final class Selvedge extends SelvedgeFields {
    /** Of which thread everything is dropped: before the agent is on. Made before anything is called that may be observed. */
    private static final Selvedge NOBODY = new Selvedge();

    static {
        NOBODY.mute = true;
    }

    private Selvedge() {
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
        // The machine's own threads know what the main thread has done.
        if (parent < 0) flushFirst();
        numberFor(thread, parent, made.clock);
        made.number = made.leftInClock(2);
        if (made.number != 0) several();
        // What that does from now on, this thread does not know.
        if (parent < 0) passFirst();
        made.isVirtual = isVirtual(thread);
        made.takes(made.leftInClock(0));
        made.statics.attach(STATICS, made.chain);
        made.update();
        made.quicken();
        thread.$selvedge = made;
        return made;
    }

    /** Virtual threads come with JDK 21; this is compiled for all. */
    private static boolean isVirtual(Thread thread) {
        String name = thread.getClass().getName();
        return name.startsWith("java.lang.VirtualThread") || name.startsWith("java.lang.ThreadBuilders$BoundVirtual");
    }

    /** Methods that were executed, by the numbers that the instrumenter gives those that a plan lists. */
    private static final int METHODS = 1 << 16;
    private static final boolean[] executed = new boolean[METHODS];

    /** At the entry of a method that a plan lists. */
    @ForceInline
    public static void ran(int method) {
        if (method < METHODS && !executed[method]) executed[method] = true;
    }

    /** At the entry of a method with a loop, if accesses fade. */
    @ForceInline
    public static void loops(int method) {
        int[] counts = entries;
        if (counts != null && method < counts.length && counts[method] <= MOST_ENTRIES) counts[method]++;
    }

    // --- fields of objects without words

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
        judges(site);
        if (passed) renew();
        inside = true;
        try {
            mark();
            relies();
            flushHeld();
            plain0(number, object, 2L * number + 2, site, kind);
        } finally {
            inside = false;
        }
    }

    // --- static fields

    /** A read of the static field of this number, one whose last two bits are 0. */
    @ForceInline
    public static void staticRead0(int slot, Selvedge me, int site) {
        if (me.read0 != slot) me.staticReadAgain(slot, site);
    }

    /** A read of the static field of this number, one whose last two bits are 1. */
    @ForceInline
    public static void staticRead1(int slot, Selvedge me, int site) {
        if (me.read1 != slot) me.staticReadAgain(slot, site);
    }

    /** A read of the static field of this number, one whose last two bits are 2. */
    @ForceInline
    public static void staticRead2(int slot, Selvedge me, int site) {
        if (me.read2 != slot) me.staticReadAgain(slot, site);
    }

    /** A read of the static field of this number, one whose last two bits are 3. */
    @ForceInline
    public static void staticRead3(int slot, Selvedge me, int site) {
        if (me.read3 != slot) me.staticReadAgain(slot, site);
    }

    /** A read of a static field that is not among those read last; from now on it is, until the epoch ends. */
    private void staticReadAgain(int slot, int site) {
        int[] reads = statics.reads;
        if (slot >= reads.length || reads[slot] >>> STAGES != time) {
            staticAccess(slot, site, 0);
            reads = statics.reads;
            if (slot >= reads.length || reads[slot] >>> STAGES != time) return;
        }
        switch (slot & 3) {
            case 0: read0 = slot; break;
            case 1: read1 = slot; break;
            case 2: read2 = slot; break;
            default: read3 = slot;
        }
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
            flush();
            seesClass0(number, site, clock);
            update();
        } finally {
            inside = false;
        }
    }

    /** After a read of the static final field of this number: whoever sees it sees that its class is initialised. */
    @ForceInline
    public static void finalRead(int slot, Selvedge me, int site) {
        if (me.seenFinals[slot & FINALS - 1] != slot) me.finalReadAgain(slot, site);
    }

    @DontInline
    private void finalReadAgain(int slot, int site) {
        if (!on || inside || this == NOBODY) return;
        seenFinals[slot & FINALS - 1] = slot;
        seesClass(site);
    }

    /** At the end of a class's initialisation. */
    public static void initialised(int site) {
        if (!on) return;
        Selvedge me = me();
        if (me.inside) return;
        me.inside = true;
        try {
            me.flush();
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
        if (view.array != array) view = me.viewOf(array, site);
        int[] times = view.reads;
        int at = index >> view.shift;
        if (at < 0 || at >= times.length ? view.fresh != me.epoch : times[at] >>> STAGES != me.time) me.firstRead(view, index, at, site);
        return view;
    }

    /** A write of an element. Returns the view of the array, for the next access of the same place. */
    @ForceInline
    public static SelvedgeView arrayWrite(Object array, int index, SelvedgeView view, Selvedge me, int site) {
        if (view.array != array) view = me.viewOf(array, site);
        long[] words = view.writes;
        int at = index >> view.shift;
        if (at < 0 || at >= words.length ? view.fresh != me.epoch : words[at] >>> EPOCH != me.epoch) me.firstWrite(view, index, at, site);
        return view;
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
        if (array != null && moved != 0) me.rangeRead(array, first, delta, moved / step * each + more, site);
    }

    /** As {@link #readRange}, for writes. */
    @ForceInline
    public static void writeRange(
        Object array, int first, int delta, int moved, int step, int each, int more, Selvedge me, int site) {
        if (array != null && moved != 0) me.rangeWrite(array, first, delta, moved / step * each + more, site);
    }

    /** After such a loop: the array if the iteration in which the loop was left has come as far as {@code place}, otherwise null. */
    @ForceInline
    public static Object reached(Object array, int mark, int place) {
        return mark >= place ? array : null;
    }

    /** A read of an element after the fact; the array may be null. */
    @ForceInline
    public static void readOne(Object array, int index, Selvedge me, int site) {
        if (array != null) readLater(array, index, me, site);
    }

    /** A write of an element after the fact; the array may be null. */
    @ForceInline
    public static void writeOne(Object array, int index, Selvedge me, int site) {
        if (array != null) writeLater(array, index, me, site);
    }

    /** Not inlined where it never happens: most loops are not left in the middle. */
    private static void readLater(Object array, int index, Selvedge me, int site) {
        arrayRead(array, index, NONE, me, site);
    }

    private static void writeLater(Object array, int index, Selvedge me, int site) {
        arrayWrite(array, index, NONE, me, site);
    }

    /** Before elements are copied from one array to another. */
    public static void copying(Object from, int first, Object to, int at, int count, int readSite, int writeSite) {
        if (!on || count <= 0 || !isRange(from, first, count) || !isRange(to, at, count)) return;
        Selvedge me = me();
        if (me.inside || me.mute) return;
        me.rangeRead(from, first, 1, count, readSite);
        me.rangeWrite(to, at, 1, count, writeSite);
    }

    /** Before an array is cloned. */
    public static void cloning(Object array, int site) {
        if (!on || array == null || !array.getClass().isArray()) return;
        Selvedge me = me();
        int count = java.lang.reflect.Array.getLength(array);
        if (!me.inside && !me.mute && count > 0) me.rangeRead(array, 0, 1, count, site);
    }

    /** Before a method of the library reads elements of an array, those up to the last one that there is. */
    public static void bulkRead(Object array, int first, int end, int site) {
        if (!on || array == null || first < 0 || !array.getClass().isArray()) return;
        int length = java.lang.reflect.Array.getLength(array);
        Selvedge me = me();
        int count = Math.min(end, length) - first;
        if (count > 0 && !me.inside && !me.mute) me.rangeRead(array, first, 1, count, site);
    }

    /** Before a method of the library writes elements of an array, all if {@code end} is the largest number; it throws if they are not there. */
    public static void bulkWrite(Object array, int first, int end, int site) {
        if (!on || array == null) return;
        if (end == Integer.MAX_VALUE) end = java.lang.reflect.Array.getLength(array);
        Selvedge me = me();
        if (end > first && isRange(array, first, end - first) && !me.inside && !me.mute) me.rangeWrite(array, first, 1, end - first, site);
    }

    /** Whether these are elements of the array; if not, the copy throws. */
    private static boolean isRange(Object array, int first, int count) {
        return array != null && array.getClass().isArray() && first >= 0 && first <= java.lang.reflect.Array.getLength(array) - count;
    }

    /** After an array or a library object was made. */
    public static void made(Object array, int site) {
        Selvedge me = Thread.currentThread().$selvedge;
        if (me == null) return;
        SelvedgeCaches caches = me.caches();
        if (caches == null) return;
        // For locks, whoever touches something first owns it: that is often its maker, who is to be told of then.
        if (!locks || !owners) {
            int slot = me.freshCount < FRESH ? me.freshCount++ : me.freshNext++ & FRESH - 1;
            caches.fresh[slot] = array;
            caches.freshViews[slot] = null;
        }
        if (SelvedgeTable.isOfFew(site)) me.remember(array, site);
    }

    /** Keeps where an array or a library object was made. */
    @DontInline
    private void remember(Object array, int site) {
        if (!on || inside) return;
        inside = true;
        try {
            SelvedgeTable.made(array, site);
        } catch (OutOfMemoryError error) {
            // A report will not say where it was made.
        } finally {
            inside = false;
        }
    }

    /** Where an array or a library object was made: a site, 0 if that is not known. For the agent, which holds its lock: asks it nothing, and waits for nobody. */
    static int madeAt(Object object) {
        SelvedgeRecord record = SelvedgeTable.known(object, System.identityHashCode(object));
        return record == null ? 0 : record.madeAt;
    }

    // --- volatile fields and what the library's code does with variables

    /** Sites of volatile fields: 0 while nothing is known, {@link #PLAIN} for fields that turned out not to be volatile, 1 for fields of objects, and 2 more than the number of a static field. */
    private static int[] volatileSites = new int[1 << 12];
    private static final int PLAIN = -1;

    /** By the numbers of static fields: those that are variables. */
    private static final SelvedgeVariable[] volatileStatics = new SelvedgeVariable[1 << 16];

    /** Steps on variables: after a read, before a write, before a write by the constructor of the object. */
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int INIT = 2;

    /** After a read of a volatile field; the object is null for a static one. */
    public static void volatileRead(Object object, int site) {
        if (on) me().volatileAccess(object, site, READ);
    }

    /** Before a write of a volatile field. */
    public static void volatileWrite(Object object, int site) {
        if (on) me().volatileAccess(object, site, WRITE);
    }

    /** Before a constructor writes a volatile field of the object that it makes. */
    public static void volatileInit(Object object, int site) {
        if (on) me().volatileAccess(object, site, INIT);
    }

    /** After library code has read a field that orders, whether or not it is volatile. */
    public static void variableRead(Object object, int site) {
        if (on && object != null) me().volatileAccess(object, site, READ | ANY);
    }

    /** Before library code writes such a field. */
    public static void variableWrite(Object object, int site) {
        if (on && object != null) me().volatileAccess(object, site, WRITE | ANY);
    }

    /** With a step on a variable: whatever field it is. */
    private static final int ANY = 4;

    private void volatileAccess(Object object, int site, int how) {
        if (inside || alone && !eager && !optimistic) return;
        int kind = how & ~ANY;
        int[] sites = volatileSites;
        int what = site < sites.length ? sites[site] : 0;
        if (what == 0) what = askOfVolatile(site, object, how != kind);
        if (what == PLAIN) return;
        if (object != null) {
            variable(kind, object, placeOf(object, site), site);
        } else if (what >= 2) {
            follow(kind, volatileStatics[what - 2], null, 0, site);
        }
    }

    @DontInline
    private int askOfVolatile(int site, Object object, boolean any) {
        inside = true;
        try {
            int what = any ? 1 : volatile0(site, object == null);
            synchronized (volatileStatics) {
                int[] sites = volatileSites;
                if (site >= sites.length) {
                    int[] more = new int[2 * site];
                    System.arraycopy(sites, 0, more, 0, sites.length);
                    sites = more;
                }
                sites[site] = what;
                if (what >= 2) staticVariable(what - 2);
                volatileSites = sites;
            }
            return what;
        } catch (OutOfMemoryError error) {
            return PLAIN;
        } finally {
            inside = false;
        }
    }

    /** Where in the object the field is that the site names. */
    private long placeOf(Object object, int site) {
        boolean was = inside;
        inside = true;
        try {
            return SelvedgeType.of(object).placeAt(site, object);
        } catch (OutOfMemoryError error) {
            return SelvedgeType.NOWHERE;
        } finally {
            inside = was;
        }
    }

    private static SelvedgeVariable staticVariable(int slot) {
        synchronized (volatileStatics) {
            SelvedgeVariable known = volatileStatics[slot];
            if (known == null) volatileStatics[slot] = known = new SelvedgeVariable(0);
            return known;
        }
    }

    /**
     * A step on the variable at this place of the object. Not of a key of the table of records: when the JVM has put it into its queue, the key would get a record in that table, by another key.
     */
    @DontInline
    private void variable(int kind, Object object, long offset, int site) {
        if (inside || object instanceof SelvedgeKey) return;
        if (optimistic) optimistic(false);
        if (alone && !eager) return;
        inside = true;
        SelvedgeVariable variable;
        try {
            variable = at(object, offset, kind != READ);
        } catch (OutOfMemoryError error) {
            return;
        } finally {
            inside = false;
        }
        if (variable != null || eager) follow(kind, variable, object, offset, site);
    }

    /** The variable at this place of the object, made if it is wanted; null if there is none. */
    private SelvedgeVariable at(Object object, long offset, boolean wanted) {
        SelvedgeRecord record = SelvedgeType.of(object).recordOf(object);
        SelvedgeVariable variable = wanted ? record.variable(offset) : record.known(offset);
        if (!(object instanceof Class)) return variable;
        if (variable == null) variable = record.variable(offset);
        SelvedgeVariable alias = variable.alias;
        if (alias == null) variable.alias = alias = staticAt((Class<?>) object, offset, variable);
        return alias;
    }

    /** The variable that a static field is, by its place in its class. */
    @DontInline
    private static SelvedgeVariable staticAt(Class<?> type, long offset, SelvedgeVariable otherwise) {
        try {
            for (java.lang.reflect.Field field : type.getDeclaredFields()) {
                if ((field.getModifiers() & 8) == 0 || unsafe.staticFieldOffset(field) != offset) continue;
                int slot = slot0(type, chars(field.getName()));
                if (slot > 0) return staticVariable(slot);
            }
        } catch (Throwable failure) {
            // It is not told to be the same as the field.
        }
        return otherwise;
    }

    private void follow(int kind, SelvedgeVariable variable, Object object, long offset, int site) {
        if (optimistic) optimistic(false);
        if (alone && !eager) return;
        inside = true;
        try {
            if (kind == READ && variable != null) listen(variable);
            if (eager) {
                flush();
                sync0(number, object, (int) offset, site, kind, clock);
                update();
            } else if (kind != READ) {
                publish(variable, kind == INIT);
            }
        } catch (OutOfMemoryError error) {
            // Nothing is handed over.
        } finally {
            inside = false;
        }
    }

    // --- variables by offsets and handles

    /** After a read by {@code Unsafe}. */
    public static void unsafeRead(Object object, long offset) {
        if (on) me().reached(READ, object, offset);
    }

    /** Before a write by {@code Unsafe}. */
    public static void unsafeWrite(Object object, long offset) {
        if (on) me().reached(WRITE, object, offset);
    }

    /** Without an object it is an address: memory outside of the heap. */
    private void reached(int kind, Object object, long offset) {
        if (object != null) {
            variable(kind, object, offset, 0);
        } else if (!inside) {
            follow(kind, SelvedgeHandles.memory(offset), null, 0, 0);
        }
    }

    /** After a read of a field by reflection. */
    public static void reflectedRead(Object field, Object object) {
        if (on) me().reflected(READ, (java.lang.reflect.Field) field, object);
    }

    /** Before a write of a field by reflection. */
    public static void reflectedWrite(Object field, Object object) {
        if (on) me().reflected(WRITE, (java.lang.reflect.Field) field, object);
    }

    /** Of fields that are reached by reflection only volatile ones matter: the accesses to others are not watched. */
    private void reflected(int kind, java.lang.reflect.Field field, Object object) {
        int modifiers = field.getModifiers();
        if ((modifiers & 64) == 0 || inside || mute) return;
        if ((modifiers & 8) != 0) {
            variable(kind, field.getDeclaringClass(), unsafe.staticFieldOffset(field), 0);
        } else if (field.getDeclaringClass().isInstance(object)) {
            variable(kind, object, unsafe.objectFieldOffset(field), 0);
        }
    }

    /** Before a compare-and-set by {@code Unsafe}: what {@link #tried} is to be given. */
    public static Object unsafeTry(Object object, long offset) {
        return on ? me().tries(object, offset, object == null ? SelvedgeHandles.memory(offset) : null) : null;
    }

    /** Before library code writes an element of an array of objects that it also reaches by handles or offsets. */
    public static void elementPut(Object array, int index) {
        if (on && array != null) me().elementPut(array, (long) index);
    }

    private void elementPut(Object array, long index) {
        if (inside || alone && !eager) return;
        if (references < 0) findReferences();
        variable(WRITE, array, references + (index << referenceShift), 0);
    }

    /** Where the elements of arrays of objects begin, and the logarithm of how far they are apart; less than 0 before that is known. */
    private static long references = -1;
    private static int referenceShift;

    @DontInline
    private void findReferences() {
        inside = true;
        try {
            // Its type differs between versions of the JDK.
            Object base = Unsafe.class.getField("ARRAY_OBJECT_BASE_OFFSET").get(null);
            Object scale = Unsafe.class.getField("ARRAY_OBJECT_INDEX_SCALE").get(null);
            referenceShift = 31 - Integer.numberOfLeadingZeros(((Number) scale).intValue());
            references = ((Number) base).longValue();
        } catch (Throwable failure) {
            references = 0;
        } finally {
            inside = false;
        }
    }

    /** After a read by a variable handle, or by what may be a method handle of a field; {@code first} is the first argument if it is an object, {@code index} the second if it is an int. */
    public static void handleRead(Object handle, Object first, int index) {
        if (on && handle != null) me().handle(READ, handle, first, index);
    }

    /** Before a write by a variable handle. */
    public static void handleWrite(Object handle, Object first, int index) {
        if (on && handle != null) me().handle(WRITE, handle, first, index);
    }

    /** Before a compare-and-set by a variable handle: what {@link #tried} is to be given. */
    public static Object handleTry(Object handle, Object first, int index) {
        return on && handle != null ? me().handle(TRY, handle, first, index) : null;
    }

    /** After a compare-and-set. */
    public static void tried(int success, Object pending) {
        if (pending != null) ended(pending, success != 0);
    }

    /** After a compare-and-exchange. */
    public static void exchanged(Object witness, Object expected, Object pending) {
        if (pending != null) ended(pending, witness == expected);
    }

    /** After a compare-and-exchange. */
    public static void exchanged(int witness, int expected, Object pending) {
        if (pending != null) ended(pending, witness == expected);
    }

    /** After a compare-and-exchange. */
    public static void exchanged(long witness, long expected, Object pending) {
        if (pending != null) ended(pending, witness == expected);
    }

    /** Before a fence after which others may see what was done before it. */
    public static void releaseFence() {
        if (on) me().follow(WRITE, SelvedgeHandles.FENCES, null, 0, 0);
    }

    /** After a fence after which the thread may see what others did. */
    public static void acquireFence() {
        if (on) me().follow(READ, SelvedgeHandles.FENCES, null, 0, 0);
    }

    /** Instead of a kind of step: before a compare-and-set. */
    private static final int TRY = 3;

    /** With the kind of an access by a handle, 0 or 1: it is atomic. */
    private static final int ATOMIC = 2;

    /** Before a program accesses a variable by a handle: it may be a field or an element that others access without one. */
    public static void handleAccess(Object handle, Object first, int index, int site, int kind) {
        if (on && handle != null && first != null) me().accessBy(handle, first, index, site, kind);
    }

    @DontInline
    private void accessBy(Object handle, Object first, int index, int site, int kind) {
        if (inside || mute || alone) return;
        SelvedgeHandles how = SelvedgeType.of(handle).handles(handle);
        if ((kind & ATOMIC) != 0) atomic(site);
        atomically = (kind & ATOMIC) != 0;
        try {
            if (how.kind == SelvedgeHandles.ARRAY) {
                if (!isRange(first, index, 1)) return;
                askOfHandle(site, kind & 1, first, -1);
                if ((kind & 1) == 0) {
                    arrayRead(first, index, NONE, this, site);
                } else {
                    arrayWrite(first, index, NONE, this, site);
                }
            } else if (how.kind == SelvedgeHandles.FIELD || how.kind == SelvedgeHandles.ACCESSOR) {
                int field = askOfHandle(site, kind & 1, first, how.offset(handle, unsafe));
                if (field < 0) return;
                if ((kind & 1) == 0) {
                    fieldRead(first, site, field);
                } else {
                    fieldWrite(first, site, field);
                }
            }
        } finally {
            atomically = false;
        }
    }

    /** By site: the class and the place of which a handle was used there last, and the number of that field; -1 if it has no words. */
    private static SelvedgeType[] handleTypes = new SelvedgeType[1 << 10];
    private static long[] handlePlaces = new long[1 << 10];
    private static int[] handleFields = new int[1 << 10];

    /** The field that a handle accesses, by its place in the object, or less than 0; a place of -1 is that of elements. */
    private int askOfHandle(int site, int kind, Object object, long place) {
        int slot = site & handleFields.length - 1;
        SelvedgeType type = SelvedgeType.of(object);
        synchronized (handleFields) {
            if (handleTypes[slot] == type && handlePlaces[slot] == (place ^ (long) site << 32)) return handleFields[slot];
        }
        int field = -1;
        inside = true;
        try {
            if (place < 0) {
                words0(site, kind, null, null);
            } else {
                field = findField(site, kind, object.getClass(), place);
            }
        } finally {
            inside = false;
        }
        synchronized (handleFields) {
            handleTypes[slot] = type;
            handlePlaces[slot] = place ^ (long) site << 32;
            handleFields[slot] = field;
        }
        return field;
    }

    private static int findField(int site, int kind, Class<?> type, long place) {
        try {
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (java.lang.reflect.Field field : at.getDeclaredFields()) {
                    if ((field.getModifiers() & 8) != 0) continue;
                    if (unsafe.objectFieldOffset(at, field.getName()) == place) return words0(site, kind, at, chars(field.getName()));
                }
            }
        } catch (Throwable failure) {
            // It is not observed.
        }
        return -1;
    }

    private static int[] chars(String name) {
        int[] chars = new int[name.length()];
        for (int i = 0; i < chars.length; i++) chars[i] = name.charAt(i);
        return chars;
    }

    @DontInline
    private Object handle(int kind, Object handle, Object first, int index) {
        if (inside || alone && !eager && !optimistic) return null;
        long offset;
        Object object = first;
        inside = true;
        try {
            SelvedgeHandles how = SelvedgeType.of(handle).handles(handle);
            switch (how.kind) {
                case SelvedgeHandles.FIELD:
                    offset = how.offset(handle, unsafe);
                    break;
                case SelvedgeHandles.ACCESSOR:
                    if (!how.isVolatile(handle, unsafe)) return null;
                    offset = how.offset(handle, unsafe);
                    break;
                case SelvedgeHandles.STATIC_ACCESSOR:
                    if (!how.isVolatile(handle, unsafe)) return null;
                    offset = unsafe.getLong(handle, how.offsetAt);
                    object = unsafe.getReference(handle, how.baseAt);
                    break;
                case SelvedgeHandles.NONE:
                    return null;
                case SelvedgeHandles.STATIC:
                    offset = unsafe.getLong(handle, how.offsetAt);
                    object = unsafe.getReference(handle, how.baseAt);
                    break;
                case SelvedgeHandles.ARRAY:
                    offset = unsafe.getInt(handle, how.offsetAt) + ((long) index << unsafe.getInt(handle, how.baseAt));
                    break;
                case SelvedgeHandles.BYTES:
                    offset = longs + index;
                    break;
                default:
                    offset = -1;
                    object = null;
            }
            if (object == null && how.kind != SelvedgeHandles.OTHER) return null;
        } catch (OutOfMemoryError error) {
            return null;
        } finally {
            inside = false;
        }
        if (kind == TRY) return tries(object, offset, SelvedgeHandles.ALL);
        if (object != null) {
            variable(kind, object, offset, 0);
        } else {
            follow(kind, SelvedgeHandles.ALL, null, 0, 0);
        }
        return null;
    }

    /** Before a compare-and-set of the variable at this place of the object, or, if there is none, of the other one. */
    @DontInline
    private Object tries(Object object, long offset, SelvedgeVariable otherwise) {
        if (inside) return null;
        if (eager) {
            // Its failure is not recorded.
            if (object != null) {
                variable(WRITE, object, offset, 0);
            } else {
                follow(WRITE, otherwise, null, 0, 0);
            }
            return null;
        }
        if (optimistic) optimistic(false);
        if (alone) return null;
        inside = true;
        try {
            return tries(object == null ? otherwise : at(object, offset, true));
        } catch (OutOfMemoryError error) {
            return null;
        } finally {
            inside = false;
        }
    }

    @DontInline
    private static void ended(Object pending, boolean wrote) {
        SelvedgePending made = (SelvedgePending) pending;
        made.variable.ends(made, wrote);
    }

    // --- locks, threads: steps of kind 3 and up

    static final int ACQUIRE = 3;
    static final int RELEASE = 4;
    private static final int JOIN = 5;
    private static final int PARKED = 6;
    private static final int UNPARK = 7;
    private static final int INTERRUPT = 8;
    private static final int INTERRUPTED = 9;
    static final int WAITING = 10;
    static final int WAITED = 11;
    private static final int ALL_ENDED = 12;

    /** After a monitor was entered. */
    public static void entered(Object object) {
        if (on && object != null) me().lock(object, 0);
    }

    /** Before a monitor is left. */
    public static void exiting(Object object) {
        if (on && object != null) me().unlock(object, 0);
    }

    @DontInline
    private void lock(Object object, int mode) {
        if (inside) return;
        inside = true;
        try {
            if (unsure) recount();
            if (optimistic) optimistic(false);
            acquired(object, SelvedgeType.of(object).recordOf(object), mode);
        } catch (OutOfMemoryError error) {
            // It is not seen to be held.
        } catch (StackOverflowError error) {
            unsure = true;
            throw error;
        } finally {
            inside = false;
        }
    }

    @DontInline
    private void unlock(Object object, int mode) {
        if (inside) return;
        inside = true;
        try {
            if (unsure) recount();
            if (optimistic) optimistic(false);
            releasing(object, mode);
        } catch (OutOfMemoryError error) {
            // What the thread knows is not handed over.
        } catch (StackOverflowError error) {
            unsure = true;
            throw error;
        } finally {
            inside = false;
        }
    }

    /** After a lock of java.util.concurrent was taken; mode 1 exclusive, 2 shared. */
    public static void locked(Object lock, int mode) {
        if (on && lock != null) me().lock(lock, mode);
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
        // What is read after an attempt that failed is thrown away, too: the stamp is not valid.
        if (on) me().optimistic(true);
    }

    /** After it was asked whether a lock was free all the time. */
    public static void validated() {
        if (on) me().optimistic(false);
    }

    private void optimistic(boolean is) {
        optimistic = is;
        if (!passed) quicken();
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
        if (on && lock != null) me().unlock(lock, mode);
    }

    /** Before a thread is started. */
    public static void starting(Object object) {
        if (!on || !(object instanceof Thread)) return;
        Selvedge me = me();
        if (me.inside) return;
        me.inside = true;
        try {
            Thread thread = (Thread) object;
            several();
            if (locks) me.nextPhase();
            me.flush();
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
        if (other != null) me().told(JOIN, object, other.number);
    }

    /** After it was asked whether a thread is alive: if it is not, and was started, it has ended. */
    public static void aliveAsked(int is, Object thread) {
        if (is == 0) joined(thread);
    }

    /** After it was asked in which state a thread is. */
    public static void stateAsked(Object state, Object thread) {
        if (on && state instanceof Enum && "TERMINATED".equals(((Enum<?>) state).name())) joined(thread);
    }

    /** After the current thread was parked. */
    public static void parked() {
        if (on) me().told(PARKED, Thread.currentThread(), 0);
    }

    /** Before a thread gets its permit. */
    public static void unparking(Object thread) {
        if (on && thread != null) me().told(UNPARK, thread, 0);
    }

    /** Before a thread is interrupted. */
    public static void interrupting(Object thread) {
        if (on && thread != null) me().told(INTERRUPT, thread, 0);
    }

    /** After a thread was asked whether it is interrupted. */
    public static void interrupted(int is, Object thread) {
        if (is != 0 && on && thread != null) me().told(INTERRUPTED, thread, 0);
    }

    /** After the current thread has noticed that it was interrupted. */
    public static void noticed() {
        if (on) me().told(INTERRUPTED, Thread.currentThread(), 0);
    }

    // --- what is handed over, as locksets see it

    /** Before something is handed over through an object: the item, or all that was done so far if it is null. */
    public static void handing(Object channel, Object item) {
        if (on && locks && channel != null) me().hands(PUBLISH, channel, item);
    }

    /** After something was received through an object. */
    public static void handed(Object channel) {
        if (on && locks && channel != null) me().hands(SUBSCRIBE, channel, null);
    }

    /** After an attempt to receive something, which has succeeded unless the result is 0. */
    public static void handedIf(int result, Object channel) {
        if (result != 0) handed(channel);
    }

    /** After an attempt to receive an object, which has succeeded unless it is null. */
    public static void handedItem(Object item, Object channel) {
        if (item != null && on && locks && channel != null) me().hands(SUBSCRIBE, channel, item);
    }

    private static final int PUBLISH = 0;
    private static final int SUBSCRIBE = 1;

    @DontInline
    private void hands(int kind, Object channel, Object item) {
        if (inside || mute || alone) return;
        inside = true;
        try {
            if (kind == PUBLISH) nextPhase();
            hand0(number, kind, channel, item);
        } finally {
            inside = false;
        }
    }

    /** A step that the agent follows. */
    @DontInline
    private void told(int kind, Object object, int detail) {
        if (inside) {
            permitTaken |= kind == PARKED;
            return;
        }
        inside = true;
        try {
            if (optimistic) optimistic(false);
            step(kind, object, detail);
        } finally {
            inside = false;
        }
    }

    /** In the thread that ends the JVM, when all threads have ended that are no daemons: it comes after them. */
    public static void allEnded() {
        if (on) me().told(ALL_ENDED, null, 0);
    }

    /** At the end of the current thread: the agent will be asked for what it knew. */
    public static void ending() {
        Selvedge me = Thread.currentThread().$selvedge;
        if (!on || me == null || me.inside) return;
        me.inside = true;
        try {
            me.flush();
            me.forget();
            me.toldWhat = null;
            me.toldWith = null;
        } finally {
            me.inside = false;
        }
    }

    // --- calls on library objects

    /** Before a call on what may be an unsynchronised library object. */
    public static void call(Object object, int site) {
        if (on && object != null) me().libraryCall(object, site);
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
            if (observed) me().wait(object, false);
        }
    }

    /** {@code object.wait(millis, nanos)}. */
    public static void await(Object object, long millis, int nanos) throws InterruptedException {
        boolean observed = waiting(object);
        try {
            object.wait(millis, nanos);
        } finally {
            if (observed) me().wait(object, false);
        }
    }

    /** Before a wait; whether it is one (without the monitor it is an exception). */
    private static boolean waiting(Object object) {
        if (!on || object == null || !Thread.holdsLock(object)) return false;
        me().wait(object, true);
        return true;
    }

    /** A wait begins, or is over. */
    private void wait(Object object, boolean begins) {
        if (inside) return;
        inside = true;
        try {
            if (optimistic) optimistic(false);
            SelvedgeRecord record = SelvedgeType.of(object).recordOf(object);
            if (begins) {
                waiting(object, record);
            } else {
                waited(object, record);
            }
        } catch (OutOfMemoryError error) {
            // Nothing is handed over.
        } finally {
            inside = false;
        }
    }

    // --- the agent

    /** Calls every native method once, to no effect, before anything else does. */
    private static void bind() {
        begin(Unsafe.getUnsafe());
        beginContent();
        numberFor(null, -1, null);
        event0(0, null, 0, 0, -1);
        walk0(0, null, 0, -1, 1, 0, 0, 0, null, null);
        race0(0, null, 0, 0, 0, 0, 0, null, null);
        field0(-1);
        plain0(0, null, 0, 0, 0);
        volatile0(0, false);
        sync0(0, null, 0, 0, 0, null);
        target0(-1);
        slot0(null, null);
        words0(-1, 0, null, null);
        clashes0(null);
        step0(0, -1, null, 0, null);
        held0(0, null, 0, false);
        flush0(0, 0, null);
        time0(0, null);
        initialised0(0, 0, null);
        seesClass0(0, 0, null);
        view0(null, null);
        fade0(null, null, 0);
        kind0(null, 0);
        behind0(null, 0);
        hand0(0, -1, null, null);
    }

    /** A new number for a thread, which {@code parent} starts unless it is negative; leaves it and its clock. */
    private static native void numberFor(Thread thread, int parent, int[] clock);

    /**
     * An access to be judged by the agent (kind 0 or 1, and 4 more if by locks only), or only recorded (2 or 3). Which of the locks held are enough that those of this
     * thread and kind need not be told any more, as a place in {@link #lockHashes}, and above 16 bits how many are held; negative if all are not enough.
     */
    static native int event0(int thread, Object object, int index, int site, int kind);

    /**
     * Accesses to many elements, those of the word if it is not 0, which were made under these locks: 0 if they say nothing new, 1 if they do, 2 if
     * elements are to be told one by one from now on.
     */
    static native int walk0(
        int thread, Object array, int first, int last, int step, int site, int kind, long earlier, Object[] locks, int[] modes);

    /** Two accesses that nothing orders; these are the locks of the earlier one that are known. */
    static native void race0(
        int thread, Object object, int index, int site, int kind, long earlier, int earlierKind, Object[] locks, int[] modes);

    /** The field of this number: its class, name, position and count, with colons between them. */
    static native String field0(int field);

    private static native void plain0(int thread, Object object, long mine, int site, int kind);

    /** What a site of a volatile field is: {@link #PLAIN} if the field is not volatile, 1 for a field of objects, 2 more than the number of a static field. */
    private static native int volatile0(int site, boolean isStatic);

    /** The field that a site names: class and name, with a colon between them. */
    static native String target0(int site);

    /** The number of the static field of this name, in characters; 0 if it has none. */
    private static native int slot0(Class<?> type, int[] field);

    /** The number of the words of this field, which a handle at the site accesses; less than 0 if it has none. Without a class, elements of an array are accessed. */
    private static native int words0(int site, int kind, Class<?> type, int[] field);

    /** Whether the class declares a field that is named like the one for records. */
    static native boolean clashes0(Class<?> type);

    /** A step on a variable: that at this place of the object, or the static field that the site names. */
    private static native void sync0(int thread, Object object, int offset, int site, int kind, int[] clock);

    static native void step0(int thread, int kind, Object object, int detail, int[] clock);

    /** The thread holds a lock, or does so no more; this orders nothing. */
    static native void held0(int thread, Object object, int mode, boolean is);

    /** The thread is at this time and knows so much of the low chains. */
    static native void flush0(int thread, int time, int[] clock);

    private static native void initialised0(int thread, int site, int[] clock);

    private static native void seesClass0(int thread, int site, int[] clock);

    /** Something is handed over (0) or was received (1) through the object: the item, or all if it is null. For locksets. */
    private static native void hand0(int thread, int kind, Object channel, Object item);

    static native void time0(int thread, int[] clock);

    private static native void view0(Object view, Object lock);

    /** Lets those accesses fade that were judged so often; whether there were any that can. */
    static native boolean fade0(int[] judgements, int[] entries, int often);

    /** What the call at a site does to the content of this receiver: 0 nothing, 1 read, 2 write; and two bits above that, to the content of the object behind it. */
    static native int kind0(Object object, int site);

    /** The fields that lead from the receiver to the object behind it, as {@code class#field}, with commas between them. */
    static native String behind0(Object object, int site);

    // --- versions of methods

    /** Which quiet version the call that is about to be made may enter; 0 for none. */
    private int version;

    /** Right before a call of a method of which there may be versions. */
    @ForceInline
    public static void calling(Selvedge me, int version) {
        me.version = version;
    }

    /** At the entry of a method with versions: whether the call is to enter the quiet one. */
    @ForceInline
    public static boolean entersQuiet(Selvedge me, int version) {
        if (me.version != version) return false;
        me.version = 0;
        return true;
    }
}
