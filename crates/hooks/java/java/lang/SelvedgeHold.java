package java.lang;

import java.lang.reflect.Field;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds threads before accesses that are predicted to race, until another thread comes to the partner access of the same location.
 *
 * <p>Every wait is bounded and is a sleep: it takes no permit of the program, and no lock is held meanwhile but those that the
 * program's thread has. Code of the program never runs under {@link #LOCK}.
 */
public final class SelvedgeHold {
    /** How long who goes second waits for who goes first, in milliseconds. */
    private static final int PAUSE = 4;
    /** Holds are not shorter than this, in milliseconds. */
    private static final int SHORTEST = 2;
    /** A waiter looks so often, in milliseconds, whether anybody can come. */
    private static final int LOOK = 5;
    /** At most so many lines of a stack are told. */
    private static final int LINES = 40;
    /** At most so many threads are held at a time. */
    private static final int MOST = 64;

    private static final Object LOCK = new Object();

    static volatile boolean on;
    static int first;
    static int patience;
    static int budget;
    static int most;
    static int seed;

    /** Of each site: pairs and the sites of the other sides, alternating. */
    private static int[][] partners = {};
    /** Of each pair: its two sites. */
    private static int[] sides = {};
    private static String[] receivers = {};
    private static String[] fields = {};
    private static int[] met = {};
    private static long[] arrived = {};
    /** Of each site: how often in a row nobody came, and for how long threads were held in all, in nanoseconds. */
    private static int[] failures = {};
    private static long[] spent = {};
    private static final SelvedgeWaiter[] waiting = new SelvedgeWaiter[MOST];
    private static int meetings;
    /** Threads that waited for a lock of one that was held: the thread, the site and object of the other one, the lock. */
    private static final Object[] blocked = new Object[4 * MOST];
    private static int lastBlocked;
    /** Whether there are virtual threads: then nobody knows who can come. */
    private static boolean virtual;
    private static Field owner;

    private SelvedgeHold() {}

    /** What there is to hold, number by number: of sites, of pairs, then the two sites of each pair. */
    private static native int setting(int position);

    /** The class that the called object of a pair must have (0), or class and name of its field (1), or null. */
    private static native String name(int pair, int which);

    /** Leaves lines of results with the agent. */
    private static native void report(int[] characters);

    /** Puts monitors that a thread holds into an array; how many. */
    private static native int owned(Thread thread, Object[] into);

    /** The monitor that a thread waits to enter, or null. */
    private static native Object contended(Thread thread);

    /** Called by the agent, before anything is held. */
    static void begin() {
        int sites = setting(0);
        int pairs = setting(1);
        sides = new int[2 * pairs];
        receivers = new String[pairs];
        fields = new String[pairs];
        met = new int[pairs];
        arrived = new long[sites];
        failures = new int[sites];
        spent = new long[sites];
        partners = new int[sites][];
        int[] counts = new int[sites];
        for (int pair = 0; pair < pairs; pair++) {
            sides[2 * pair] = setting(2 + 2 * pair);
            sides[2 * pair + 1] = setting(3 + 2 * pair);
            receivers[pair] = name(pair, 0);
            fields[pair] = name(pair, 1);
            counts[sides[2 * pair]] += 2;
            counts[sides[2 * pair + 1]] += 2;
        }
        for (int site = 0; site < sites; site++) {
            partners[site] = new int[counts[site]];
        }
        int[] filled = new int[sites];
        for (int pair = 0; pair < pairs; pair++) {
            int one = sides[2 * pair];
            int two = sides[2 * pair + 1];
            partners[one][filled[one]++] = pair;
            partners[one][filled[one]++] = two;
            partners[two][filled[two]++] = pair;
            partners[two][filled[two]++] = one;
        }
        try {
            owner = AbstractOwnableSynchronizer.class.getDeclaredField("exclusiveOwnerThread");
            owner.setAccessible(true);
        } catch (Throwable unknown) {
            owner = null;
        }
        // What the JVM loads and links at the first use is loaded before anything is held.
        told("");
        stack();
        canCome(Thread.currentThread());
        contended(Thread.currentThread());
        owned(Thread.currentThread(), new Object[1]);
        on = true;
    }

    /** Called by the agent at the end. */
    static void finish() {
        on = false;
        StringBuilder lines = new StringBuilder();
        long held = 0;
        synchronized (LOCK) {
            for (int site = 0; site < arrived.length; site++) {
                lines.append("A\t").append(site).append('\t').append(arrived[site]).append('\n');
                held += spent[site];
            }
        }
        told(lines.append("H\t").append(held / 1000000).append('\n').toString());
    }

    /** Before an access to a field of an object. */
    public static void field(Object object, int site) {
        if (on && object != null) {
            arrive(object, 0, 1, site);
        }
    }

    /** Before an access to a static field. */
    public static void fixed(int site) {
        if (on) {
            arrive(null, 0, 1, site);
        }
    }

    /** Before an access to an element of an array. */
    public static void element(Object array, int index, int site) {
        if (on && array != null) {
            arrive(array, index, index + 1, site);
        }
    }

    /** Before a copy of elements from one array to another: one of the two sites is that of the read, the other that of the write, or -1. */
    public static void copy(Object from, int start, Object to, int goal, int length, int read, int write) {
        if (on && from != null && to != null && length > 0) {
            if (read >= 0) {
                arrive(from, start, start + length, read);
            }
            if (write >= 0) {
                arrive(to, goal, goal + length, write);
            }
        }
    }

    /** Before a call that reads or changes the content of an object, or all of an array. */
    public static void call(Object receiver, int site) {
        if (on && receiver != null) {
            arrive(receiver, 0, Integer.MAX_VALUE, site);
        }
    }

    private static void arrive(Object object, int index, int end, int site) {
        // Whoever holds nobody delays nobody either: such a run shows what the program does by itself.
        if (most == 0) {
            return;
        }
        try {
            SelvedgeWaiter waiter = null;
            SelvedgeWaiter partner = null;
            Thread me = Thread.currentThread();
            // Before the lock: who comes too often is not worth it.
            if (exhausted(site) && nobodyAt(site)) {
                if (arrived[site]++ == 0) {
                    told("A\t" + site + "\t1\n");
                }
                return;
            }
            boolean isFirst;
            String locked;
            synchronized (LOCK) {
                isFirst = arrived[site]++ == 0;
                partner = claim(me, object, index, end, site);
                locked = lockOf(me, object, site);
            }
            if (isFirst) {
                told("A\t" + site + "\t1\n");
            }
            if (locked != null) {
                told(locked);
            }
            if (partner == null) {
                if (!isOpen(site, object)) {
                    return;
                }
                if (!virtual && me.getClass().getName().startsWith("java.lang.Virtual")) {
                    virtual = true;
                }
                StackTraceElement[] stack = stack();
                synchronized (LOCK) {
                    // Somebody may have come meanwhile.
                    partner = claim(me, object, index, end, site);
                    int place = partner == null ? placeFor(me, object, index, end, site) : -1;
                    if (place >= 0 && !exhausted(site)) {
                        waiter = waiting[place] = new SelvedgeWaiter(me, site, object, index, end, stack);
                    }
                }
            }
            if (partner != null) {
                meet(partner, stack(), me);
            } else if (waiter != null) {
                await(waiter);
            }
        } catch (Throwable failed) {
            // The program must not notice.
        }
    }

    /** The held thread that a thread which has come meets from now on, or null. */
    private static SelvedgeWaiter claim(Thread me, Object object, int index, int end, int site) {
        int[] of = partners[site];
        for (int at = 0; at < of.length; at += 2) {
            int pair = of[at];
            if (met[pair] >= most || !fits(pair, object)) {
                continue;
            }
            for (int place = 0; place < MOST; place++) {
                SelvedgeWaiter other = waiting[place];
                if (other != null && other.site == of[at + 1] && other.thread != me && other.overlaps(object, index, end)) {
                    waiting[place] = null;
                    other.pair = pair;
                    other.meeting = meetings++;
                    other.state = SelvedgeWaiter.MET;
                    met[pair]++;
                    failures[site] = failures[other.site] = 0;
                    return other;
                }
            }
        }
        return null;
    }

    private static boolean fits(int pair, Object object) {
        return receivers[pair] == null || object != null && receivers[pair].equals(object.getClass().getName());
    }

    /** Whether the site has a pair that is still to meet on this object. */
    private static boolean isOpen(int site, Object object) {
        int[] of = partners[site];
        for (int at = 0; at < of.length; at += 2) {
            if (met[of[at]] < most && fits(of[at], object)) {
                return true;
            }
        }
        return false;
    }

    private static boolean exhausted(int site) {
        return spent[site] > budget * 1000000L;
    }

    /** Whether no partner of the site is held. */
    private static boolean nobodyAt(int site) {
        for (int place = 0; place < MOST; place++) {
            SelvedgeWaiter other = waiting[place];
            if (other != null) {
                int[] of = partners[site];
                for (int at = 1; at < of.length; at += 2) {
                    if (of[at] == other.site) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** A free place; -1 if there is none, or if the thread had better go on: another one is held here, and waits for what this one may do next. */
    private static int placeFor(Thread me, Object object, int index, int end, int site) {
        int free = -1;
        for (int place = 0; place < MOST; place++) {
            SelvedgeWaiter other = waiting[place];
            if (other == null) {
                free = place;
            } else if (other.thread == me || other.site == site && other.overlaps(object, index, end)) {
                return -1;
            }
        }
        return free;
    }

    /** Holds the thread until its partner has come, its time is up, or nobody can come. */
    private static void await(SelvedgeWaiter waiter) {
        int site = waiter.site;
        long start = waiter.since;
        int allowed = Math.max(patience >> Math.min(failures[site], 16), SHORTEST);
        // Two threads that always hold one another up in the same way get different times.
        seed = seed * 1103515245 + 12345;
        allowed += (seed >>> 16) % (allowed / 4 + 1);
        long end = start + allowed * 1000000L;
        boolean interrupted = false;
        int idle = 0;
        for (int turns = 1; waiter.state == SelvedgeWaiter.HELD; turns++) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException stop) {
                interrupted = true;
            }
            if (turns % LOOK == 0) {
                idle = canCome(waiter.thread) || !isOldest(waiter) ? 0 : idle + 1;
            }
            if (!on || interrupted || idle >= 2 || System.nanoTime() - end > 0) {
                noteBlocked(waiter);
                synchronized (LOCK) {
                    if (waiter.state == SelvedgeWaiter.HELD) {
                        leave(waiter);
                        failures[site]++;
                        break;
                    }
                }
            }
        }
        // The thread that has come writes down what it sees.
        long patienceWithIt = System.nanoTime() + 2000000000L;
        while (waiter.state == SelvedgeWaiter.MET && System.nanoTime() - patienceWithIt < 0) {
            interrupted |= pause(1);
        }
        if (waiter.state == SelvedgeWaiter.SECOND) {
            interrupted |= pause(PAUSE);
            tellValue(waiter.meeting, waiter.pair, waiter.object, waiter.index, waiter.thread);
        }
        synchronized (LOCK) {
            spent[site] += waiter.state == SelvedgeWaiter.HELD ? System.nanoTime() - start : 0;
        }
        if (interrupted) {
            waiter.thread.interrupt();
        }
    }

    private static boolean pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
            return false;
        } catch (InterruptedException stop) {
            return true;
        }
    }

    private static void leave(SelvedgeWaiter waiter) {
        for (int place = 0; place < MOST; place++) {
            if (waiting[place] == waiter) {
                waiting[place] = null;
            }
        }
    }

    private static boolean isOldest(SelvedgeWaiter waiter) {
        for (int place = 0; place < MOST; place++) {
            SelvedgeWaiter other = waiting[place];
            if (other != null && other != waiter && other.since - waiter.since < 0) {
                return false;
            }
        }
        return true;
    }

    /** Both stand at their accesses: writes that down, and lets them go one after the other. */
    private static void meet(SelvedgeWaiter partner, StackTraceElement[] stack, Thread me) {
        int number = partner.meeting;
        int pair = partner.pair;
        boolean isPartnerZero = partner.site == sides[2 * pair];
        int goes = first;
        boolean partnerFirst = isPartnerZero == (goes == 0);
        int next = partnerFirst ? SelvedgeWaiter.FIRST : SelvedgeWaiter.SECOND;
        try {
            StringBuilder lines = new StringBuilder();
            lines.append("M\t").append(number).append('\t').append(pair).append('\t').append(goes).append('\n');
            value(lines, 'V', number, pair, partner.object, partner.index, me);
            thread(lines, number, isPartnerZero ? 0 : 1, partner.thread, partner.stack);
            thread(lines, number, isPartnerZero ? 1 : 0, me, stack);
            told(lines.toString());
        } finally {
            partner.state = next;
        }
        if (partnerFirst) {
            if (pause(PAUSE)) {
                me.interrupt();
            }
            tellValue(number, pair, partner.object, partner.index, me);
        }
    }

    private static void thread(StringBuilder lines, int number, int side, Thread thread, StackTraceElement[] stack) {
        lines.append("T\t").append(number).append('\t').append(side).append('\t');
        clean(lines, thread.getName()).append('\n');
        Object[] monitors = new Object[16];
        int count = owned(thread, monitors);
        for (int at = 0; at < count && at < monitors.length; at++) {
            lines.append("L\t").append(number).append('\t').append(side).append('\t');
            described(lines, monitors[at]).append('\n');
        }
        int told = 0;
        for (int at = 0; at < stack.length && told < LINES; at++) {
            StackTraceElement line = stack[at];
            if (line.getClassName().startsWith("java.lang.SelvedgeHold")) {
                continue;
            }
            told++;
            lines.append("S\t").append(number).append('\t').append(side).append('\t');
            clean(lines, line.getClassName()).append('\t');
            clean(lines, line.getMethodName()).append('\t');
            clean(lines, line.getFileName() == null ? "" : line.getFileName()).append('\t');
            lines.append(line.getLineNumber()).append('\n');
        }
    }

    private static StackTraceElement[] stack() {
        return new Throwable().getStackTrace();
    }

    private static void tellValue(int number, int pair, Object object, int index, Thread me) {
        StringBuilder lines = new StringBuilder();
        value(lines, 'W', number, pair, object, index, me);
        told(lines.toString());
    }

    /** Adds the value of the location, if it can be read. */
    private static void value(StringBuilder lines, char what, int number, int pair, Object object, int index, Thread me) {
        try {
            Object value;
            if (fields[pair] != null) {
                int colon = fields[pair].indexOf(':');
                String name = fields[pair].substring(0, colon);
                Class<?> type = null;
                if (object == null) {
                    type = Class.forName(name, false, me.getContextClassLoader());
                } else {
                    for (Class<?> c = object.getClass(); c != null && type == null; c = c.getSuperclass()) {
                        type = c.getName().equals(name) ? c : null;
                    }
                }
                Field field = type.getDeclaredField(fields[pair].substring(colon + 1));
                field.setAccessible(true);
                value = field.get(object);
            } else if (object != null && object.getClass().isArray()) {
                value = java.lang.reflect.Array.get(object, index);
            } else {
                return;
            }
            lines.append(what).append('\t').append(number).append('\t');
            described(lines, value).append('\n');
        } catch (Throwable unknown) {
            // Not told.
        }
    }

    /** A value without running code of the program. */
    private static StringBuilder described(StringBuilder lines, Object value) {
        if (value instanceof Number && value.getClass().getName().startsWith("java.lang.") || value instanceof Boolean || value == null) {
            return lines.append(value);
        }
        if (value instanceof Character || value instanceof String) {
            String text = value.toString();
            lines.append(value instanceof String ? '"' : '\'');
            clean(lines, text.length() > 60 ? text.substring(0, 60) + "..." : text);
            return lines.append(value instanceof String ? '"' : '\'');
        }
        if (value instanceof Class) {
            return clean(lines.append("class "), ((Class<?>) value).getName());
        }
        clean(lines, value.getClass().getName()).append('@');
        return lines.append(Integer.toHexString(System.identityHashCode(value)));
    }

    private static StringBuilder clean(StringBuilder lines, String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            lines.append(c < ' ' ? ' ' : c);
        }
        return lines;
    }

    private static void told(String lines) {
        int[] characters = new int[lines.codePointCount(0, lines.length())];
        int count = 0;
        for (int at = 0; at < lines.length(); at += Character.charCount(characters[count++])) {
            characters[count] = lines.codePointAt(at);
        }
        report(characters);
    }

    /** All platform threads; more than there are may be null. */
    private static Thread[] threads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        if (root == null) {
            return new Thread[0];
        }
        for (ThreadGroup above = root.getParent(); above != null; above = above.getParent()) {
            root = above;
        }
        Thread[] threads = new Thread[root.activeCount() + 16];
        root.enumerate(threads, true);
        return threads;
    }

    /** Whether a thread that is not held may still come to an access. */
    private static boolean canCome(Thread me) {
        if (virtual) {
            return true;
        }
        Thread[] threads = threads();
        for (int at = 0; at < threads.length; at++) {
            Thread thread = threads[at];
            if (thread == null || thread == me || isHeld(thread)) {
                continue;
            }
            Thread.State state = thread.getState();
            if (state != Thread.State.RUNNABLE && state != Thread.State.TIMED_WAITING) {
                continue;
            }
            ThreadGroup group = thread.getThreadGroup();
            boolean isOfJvm = group == null || group.getParent() == null || thread.getName().equals("DestroyJavaVM");
            // Threads of the library that wait for something to do.
            if (!isOfJvm && !thread.getClass().getName().startsWith("jdk.internal.misc.Innocuous")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHeld(Thread thread) {
        for (int place = 0; place < MOST; place++) {
            SelvedgeWaiter other = waiting[place];
            if (other != null && other.thread == thread) {
                return true;
            }
        }
        return false;
    }

    /** Remembers who waits for a lock that a held thread has. */
    private static void noteBlocked(SelvedgeWaiter waiter) {
        Thread[] threads = threads();
        for (int at = 0; at < threads.length; at++) {
            Thread thread = threads[at];
            if (thread == null || thread == waiter.thread) {
                continue;
            }
            Object lock = null;
            Thread.State state = thread.getState();
            if (state == Thread.State.BLOCKED) {
                Object monitor = contended(thread);
                lock = monitor != null && Thread.holdsLock(monitor) ? monitor : null;
            } else if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
                Object blocker = LockSupport.getBlocker(thread);
                try {
                    boolean isMine = blocker instanceof AbstractOwnableSynchronizer && owner != null && owner.get(blocker) == waiter.thread;
                    lock = isMine ? blocker : null;
                } catch (IllegalAccessException unknown) {
                    lock = null;
                }
            }
            if (lock != null) {
                synchronized (LOCK) {
                    lastBlocked = (lastBlocked + 4) % blocked.length;
                    blocked[lastBlocked] = thread;
                    blocked[lastBlocked + 1] = waiter;
                    blocked[lastBlocked + 2] = lock;
                }
            }
        }
    }

    /** What is to be told if a thread comes to the partner of an access at which another one held the lock that it waited for. */
    private static String lockOf(Thread me, Object object, int site) {
        for (int at = 0; at < blocked.length; at += 4) {
            if (blocked[at] != me) {
                continue;
            }
            SelvedgeWaiter waiter = (SelvedgeWaiter) blocked[at + 1];
            int[] of = partners[site];
            for (int pair = 0; pair < of.length; pair += 2) {
                if (of[pair + 1] == waiter.site && waiter.object == object) {
                    StringBuilder lines = new StringBuilder("K\t").append(of[pair]).append('\t');
                    described(lines, blocked[at + 2]).append('\n');
                    blocked[at] = blocked[at + 1] = blocked[at + 2] = null;
                    return lines.toString();
                }
            }
        }
        return null;
    }
}
