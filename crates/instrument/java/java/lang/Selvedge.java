package java.lang;

/**
 * What instrumented code calls. The quick answers are given here, in code that the JIT compiler sees through; what is new
 * goes to the agent by the native methods.
 *
 * <p>An instance is the agent's part of a thread, held by a field that the agent adds to {@code Thread}. Nothing in here may
 * call instrumented code, allocate where it can be avoided, or throw.
 *
 * <p><b>Words.</b> Every object whose class the agent has rewritten has a word, and so has every static field: 0 while no
 * thread has touched it, then the (even) word of the thread that owns it, then, from the first touch of another thread, or
 * with {@link #byEpoch} of the owner in another epoch, on, the (odd) number of the object. Words are read and written without synchronisation: what a lost update loses is
 * the order of two first touches.
 *
 * <p><b>Epochs.</b> A thread's epoch changes whenever it releases something. Within one epoch, a repeated access by one
 * thread to one location tells no detector anything new.
 */
public final class Selvedge {
    /** Off before the program starts, after the machine's end has begun, and after a failure in here. */
    private static boolean on;

    /** Whether a thread owns what it has touched only until its epoch ends; set by the agent for detection by order. */
    private static boolean byEpoch;

    /** Whether no second thread has been seen. */
    private static boolean alone = true;

    /** The words of static fields, by the numbers that the instrumenter gives them. */
    private static final long[] statics = new long[1 << 16];

    /** Changes when an array gets its second thread: then no thread may trust what it remembers of its own arrays. */
    private static volatile int arrayChanges;

    /** Sites of fields that turned out not to be volatile. */
    private static final int QUIET = 1 << 16;
    private static final boolean[] quiet = new boolean[QUIET];

    private static final int MAX_SLOTS = 1 << 13;
    private static final int ARRAYS = 1 << 4;
    private static final int FINALS = 1 << 8;
    private static final int FRESH = 1 << 3;
    private static final int SHADOWED = 1 << 7;

    /** The words in front of the shadows of elements. */
    private static final int HEADER = 9;

    /** The thread's word in this epoch, or in all of them: see {@link #byEpoch}. */
    private long word;
    private final int number;
    private int epoch = 1;
    /** Whether the thread is in the agent already. */
    private boolean inside;

    /** Whether the thread reads optimistically: what it reads counts only if the lock turns out to have been free. */
    private boolean optimistic;

    /** What the thread has told in this epoch: the object's word, and site and epoch. */
    private long[] toldWord = new long[1 << 8];
    private long[] toldSite = new long[1 << 8];
    private int toldMisses;

    /** Static final fields that the thread has read. */
    private final int[] finals = new int[FINALS];

    /** Arrays seen last, by site: their words, and the {@link #arrayChanges} at that time. */
    private final Object[] arrays = new Object[ARRAYS];
    private final long[] arrayWords = new long[ARRAYS];
    private final int[] arrayTimes = new int[ARRAYS];
    private final long[][] shadows = new long[ARRAYS][];

    /** Arrays seen lately, by identity, and their shadows. */
    private final Object[] shadowed = new Object[SHADOWED];
    private final long[][] shadowOf = new long[SHADOWED][];

    /** Library objects called last, by site, with site and epoch. */
    private final Object[] called = new Object[ARRAYS];
    private final long[] calledAt = new long[ARRAYS];

    /** The thread's number in the shadows of arrays, 0 if it is too large for them. */
    private final int tag;

    /** Arrays and library objects that the thread has made last, in this epoch: they are its own. */
    private final Object[] fresh = new Object[FRESH];
    private int freshCount;
    private int freshNext;

    private Selvedge(int number, int time) {
        this.number = number;
        this.tag = number < 0x7fff ? 2 * number + 2 : 0;
        nextEpoch(time);
    }

    /** The thread has released something; {@code time} is its time in the order of events, or 0 if that is not looked at. */
    private void nextEpoch(int time) {
        // What one thread does while there is no other is before everything that others do.
        if (!alone) epoch = time == 0 ? epoch + 1 : time;
        word = (byEpoch ? (long) epoch << 32 : 0) | 2L * number + 2;
        freshCount = 0;
    }

    /** The word of the current thread; -1 if it has none yet, which is no object's word. */
    public static long mine() {
        Selvedge me = Thread.currentThread().$selvedge;
        return me == null ? -1 : me.word;
    }

    /** The word of an object that the current thread has just made. */
    public static long fresh() {
        Selvedge me = Thread.currentThread().$selvedge;
        return me == null ? 0 : me.word;
    }

    private static Selvedge me() {
        Thread thread = Thread.currentThread();
        Selvedge me = thread.$selvedge;
        return me == null ? attach(thread, -1) : me;
    }

    /** Gives a thread its part; {@code parent} is the number of the thread that starts it, or -1. */
    private static Selvedge attach(Thread thread, int parent) {
        long numbered = numberFor(thread, parent);
        if ((int) numbered != 0) alone = false;
        Selvedge made = new Selvedge((int) numbered, (int) (numbered >> 32));
        thread.$selvedge = made;
        return made;
    }

    // --- fields of objects

    /** Decides about a read of an object that is not the current thread's; returns the object's word from now on. */
    public static long read(Object object, long word, int site) {
        if (!on) return word;
        Selvedge me = me();
        if (word == 0) return me.word;
        if (me.optimistic || (word & 1) != 0 && me.told(word, site)) return word;
        return me.access(object, word, site, 0);
    }

    /** As {@link #read}, for a write. */
    public static long write(Object object, long word, int site) {
        if (!on) return word;
        Selvedge me = me();
        if (word == 0) return me.word;
        if ((word & 1) != 0 && me.told(word, site)) return word;
        return me.access(object, word, site, 1);
    }

    /** A read of an object without a word. */
    public static void plainRead(Object object, int site) {
        if (on && object != null) me().plain(object, site, 0);
    }

    /** A write of an object without a word. */
    public static void plainWrite(Object object, int site) {
        if (on && object != null) me().plain(object, site, 1);
    }

    private void plain(Object object, int site, int kind) {
        if (inside) return;
        inside = true;
        try {
            plain0(number, object, word, site, kind);
        } finally {
            inside = false;
        }
    }

    /** Whether the thread has told of this site and object in its epoch; from now on it has. */
    private boolean told(long word, int site) {
        long[] words = toldWord;
        int slot = (int) (word ^ word >>> 29) * 31 + site & words.length - 1;
        long mark = (long) site << 32 | epoch;
        if (words[slot] == word && toldSite[slot] == mark) return true;
        // Many that were told of other things in this epoch: more room pays.
        if (toldSite[slot] != 0 && (int) toldSite[slot] == epoch && ++toldMisses > words.length && words.length < MAX_SLOTS) {
            toldMisses = 0;
            toldWord = new long[4 * words.length];
            toldSite = new long[4 * words.length];
            return false;
        }
        words[slot] = word;
        toldSite[slot] = mark;
        return false;
    }

    private long access(Object object, long word, int site, int kind) {
        if (inside) return word;
        inside = true;
        try {
            return access0(number, object, word, site, kind);
        } finally {
            inside = false;
        }
    }

    // --- static fields

    /** A read of the static field of this number. */
    public static void staticRead(int slot, int site) {
        if (statics[slot & 0xffff] != mine()) staticAccess(slot & 0xffff, site, 0);
    }

    /** A write of the static field of this number. */
    public static void staticWrite(int slot, int site) {
        if (statics[slot & 0xffff] != mine()) staticAccess(slot & 0xffff, site, 1);
    }

    private static void staticAccess(int slot, int site, int kind) {
        if (!on) return;
        Selvedge me = me();
        long word = statics[slot];
        // Nobody makes a static field: with {@link #byEpoch}, no thread owns one.
        if (word == 0 && slot != 0 && !byEpoch) {
            statics[slot] = me.word;
        } else if (word != me.word) {
            if (slot != 0) statics[slot] = 1;
            if (!me.told(-2L * slot - 1, site)) me.access(null, word, site, kind);
        }
    }

    /** After a read of the static final field of this number: whoever sees it sees that its class is initialised. */
    public static void finalRead(int slot, int site) {
        if (!on) return;
        Selvedge me = me();
        if (me.finals[slot & FINALS - 1] == slot) return;
        me.finals[slot & FINALS - 1] = slot;
        me.access(null, 0, site, 0);
    }

    /** At the end of a class's initialisation. */
    public static void initialised(int site) {
        if (!on) return;
        Selvedge me = me();
        if (me.inside) return;
        me.inside = true;
        try {
            me.nextEpoch(initialised0(me.number, site));
        } finally {
            me.inside = false;
        }
    }

    // --- arrays

    /** A read of an element. */
    public static void arrayRead(Object array, int index, int site) {
        if (on && array != null) me().arrayAccess(array, index, site, 0);
    }

    /** A write of an element. */
    public static void arrayWrite(Object array, int index, int site) {
        if (on && array != null) me().arrayAccess(array, index, site, 1);
    }

    private void arrayAccess(Object array, int index, int site, int kind) {
        int slot = site & ARRAYS - 1;
        if (!byEpoch) {
            firstThread(array, index, site, kind, slot);
        } else if (arrays[slot] == array && shadows[slot] != null) {
            element(array, shadows[slot], index, site, kind);
        } else if (arrays[slot] != array || arrayWords[slot] != word) {
            otherArray(array, index, site, kind, slot);
        }
    }

    /** With {@link #byEpoch}: an array that was not seen last at this site. */
    private void otherArray(Object array, int index, int site, int kind, int slot) {
        if (inside) return;
        int hash = System.identityHashCode(array) & SHADOWED - 1;
        long[] shadow = null;
        if (shadowed[hash] == array) {
            shadow = shadowOf[hash];
        } else {
            for (int i = 0; i < freshCount; i++) {
                if (fresh[i] == array) {
                    arrays[slot] = array;
                    shadows[slot] = null;
                    arrayWords[slot] = word;
                    return;
                }
            }
            inside = true;
            try {
                shadow = shadow0(array);
            } finally {
                inside = false;
            }
            if (shadow == null) return;
            shadowed[hash] = array;
            shadowOf[hash] = shadow;
        }
        arrays[slot] = array;
        shadows[slot] = shadow;
        element(array, shadow, index, site, kind);
    }

    /**
     * An access to an element with a shadow. A shadow is 0 if nobody has touched the element. It is even if one thread has: the
     * thread's number (bits 1 to 15) and when it wrote (bits 16 to 39) and read (bits 40 to 63) last. It is odd if several have: then
     * it holds the marks of up to three threads that have told of a read in their epochs. The first word of a whole shadow
     * is how many neighbours share one in large arrays, as a power of two (bits 0 to 7), and the number of the array; then come the
     * sites at which some threads were last noted, for reads and for writes.
     */
    private void element(Object array, long[] shadow, int index, int site, int kind) {
        int at = (index >> ((int) shadow[0] & 0xff)) + HEADER;
        if (index < 0 || at >= shadow.length) return;
        long known = shadow[at];
        if (tag != 0 && (((int) known & 0xffff) == tag || known == 0)) {
            long now = kind == 0
                ? known & 0xffffffffffL | (long) epoch << 40 | tag
                : known & 0xffffff000000ffffL | (epoch & 0xffffffL) << 16 | tag;
            if (now != known) {
                shadow[at] = now;
                shadow[1 + (tag & 6) + kind] = (long) tag << 32 | site;
            }
            return;
        }
        long mark = (number & 0x7f) << 14 | epoch & 0x3fff;
        if ((known & 1) != 0) {
            if (kind == 0) {
                if ((known >> 1 & 0x1fffff) == mark || (known >> 22 & 0x1fffff) == mark || known >>> 43 == mark) return;
            } else if (told((shadow[0] | 0xff) + ((long) index << 40), site)) {
                return;
            }
        }
        if (inside) return;
        inside = true;
        try {
            long now = shared0(number, shadow, shadow[0], known, index, site, kind);
            if (now == 1 && kind == 0) {
                now = ((known & 1) != 0 ? (known & 0x3ffffffffffL) << 21 & ~0x3fffffL : 0) | mark << 1 | 1;
            } else if (now == 1 && (known & 1) != 0) {
                now = known;
            }
            shadow[at] = now;
        } finally {
            inside = false;
        }
    }

    /** After an array or a library object was made. */
    public static void made(Object array) {
        Selvedge me = Thread.currentThread().$selvedge;
        if (me == null || !byEpoch) return;
        if (me.freshCount < FRESH) {
            me.fresh[me.freshCount++] = array;
        } else {
            me.fresh[me.freshNext++ & FRESH - 1] = array;
        }
    }

    /** Without {@link #byEpoch}: the array belongs to its first thread until a second one touches it. */
    private void firstThread(Object array, int index, int site, int kind, int slot) {
        long known = 0;
        if (arrays[slot] == array) {
            known = arrayWords[slot];
            if (known == word) {
                if (arrayTimes[slot] == arrayChanges) return;
            } else if (told(known + ((long) (index + 1) << 33), site)) {
                return;
            }
        }
        if (inside) return;
        inside = true;
        try {
            int time = arrayChanges;
            long now = array0(number, array, word, index, site, kind);
            arrays[slot] = array;
            arrayWords[slot] = now;
            arrayTimes[slot] = time;
            if (now != word && now != known) told(now + ((long) (index + 1) << 33), site);
        } finally {
            inside = false;
        }
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
            int time = volatile0(number, object, site, kind);
            if (time < 0) {
                if (site < QUIET) quiet[site] = true;
            } else if (kind != 0) {
                nextEpoch(time);
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
        if (on) me().optimistic = stamp != 0;
    }

    /** After it was asked whether a lock was free all the time. */
    public static void validated() {
        if (on) me().optimistic = false;
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
            me.nextEpoch(time0(me.number));
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
            optimistic = false;
            int time = step0(number, kind, object, detail);
            switch (kind) {
                case 1: case 2: case RELEASE: case UNPARK: case INTERRUPT: case WAITING: nextEpoch(time);
            }
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
        if (called[slot] == object && calledAt[slot] == ((long) site << 32 | epoch)) return;
        if (inside) return;
        for (int i = 0; i < freshCount; i++) {
            if (fresh[i] == object) return;
        }
        inside = true;
        try {
            called[slot] = object;
            calledAt[slot] = (long) site << 32 | epoch;
            call0(number, object, word, site);
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
        numberFor(null, -1);
        access0(0, null, 0, 0, 0);
        plain0(0, null, 0, 0, 0);
        array0(0, null, 0, 0, 0, 0);
        volatile0(0, null, 0, 0);
        step0(0, -1, null, 0);
        time0(0);
        shadow0(null);
        shared0(0, null, 0, 0, 0, 0, 0);
        initialised0(0, 0);
        view0(null, null);
        call0(0, null, 0, 0);
    }

    /** A new number for a thread, which {@code parent} starts unless it is negative; its time in the upper half. */
    private static native long numberFor(Thread thread, int parent);

    private static native long access0(int thread, Object object, long word, int site, int kind);

    private static native void plain0(int thread, Object object, long mine, int site, int kind);

    /** The shadow of an array; null if there is no memory for it. */
    private static native long[] shadow0(Object array);

    /** An access to an element that another thread has touched: its shadow was {@code known}; returns what it is now. */
    private static native long shared0(
        int thread, long[] shadow, long header, long known, int index, int site, int kind);

    private static native long array0(int thread, Object array, long mine, int index, int site, int kind);

    /** The thread's time, or -1 if the site is none of a volatile field after all. */
    private static native int volatile0(int thread, Object object, int site, int kind);

    /** The thread's time. */
    private static native int step0(int thread, int kind, Object object, int detail);

    private static native int initialised0(int thread, int site);

    /** The thread's time. */
    private static native int time0(int thread);

    private static native void view0(Object view, Object lock);

    private static native void call0(int thread, Object object, long mine, int site);
}
