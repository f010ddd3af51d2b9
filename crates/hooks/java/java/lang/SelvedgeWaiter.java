package java.lang;

/** A thread that is held before an access. */
final class SelvedgeWaiter {
    /** Held; met, while that is written down; to go on at once; to go on a moment later. */
    static final int HELD = 0;
    static final int MET = 1;
    static final int FIRST = 2;
    static final int SECOND = 3;

    final Thread thread;
    final int site;
    final Object object;
    final int index;
    final int end;
    final StackTraceElement[] stack;
    final long since = System.nanoTime();
    volatile int state;
    /** The meeting, from {@link #MET} on. */
    int meeting;
    int pair;

    SelvedgeWaiter(Thread thread, int site, Object object, int index, int end, StackTraceElement[] stack) {
        this.thread = thread;
        this.site = site;
        this.object = object;
        this.index = index;
        this.end = end;
        this.stack = stack;
    }

    /** Whether another access of the same object touches what this one is about to touch. */
    boolean overlaps(Object object, int index, int end) {
        return this.object == object && this.index < end && index < this.end;
    }
}
