package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * A variable by which threads are ordered: a volatile field, or whatever is reached by a handle, an updater or an offset. It holds what those knew who have
 * written it; whoever reads it learns that.
 *
 * <p>A write publishes before it happens, so that nobody can read the value and not learn. Of a compare-and-set nobody knows before whether it
 * writes: what it would publish is pending until it is decided, and whoever reads meanwhile waits for that, for a moment. If it is not decided then, it is
 * taken to have written: so it may order more than it must, and never less.
 */
final class SelvedgeVariable extends SelvedgeTurns {
    /** So often a reader looks whether a compare-and-set is decided. */
    private static final int LOOKS = 1 << 8;

    private static Unsafe unsafe;
    private static long publishedAt;
    private static long pendingAt;

    /** Where in its object the variable is. */
    final long offset;

    /** What was known to those who wrote the variable. */
    volatile SelvedgeKnown published;

    /** Compare-and-sets that may be under way, the last one first. */
    volatile SelvedgePending pending;

    /** The same variable as others find it; null if it is found here only. */
    SelvedgeVariable alias;

    SelvedgeVariable(long offset) {
        this.offset = offset;
    }

    static void begin(Unsafe given) {
        publishedAt = given.objectFieldOffset(SelvedgeVariable.class, "published");
        pendingAt = given.objectFieldOffset(SelvedgeVariable.class, "pending");
        unsafe = given;
    }

    void publish(SelvedgeKnown mine) {
        while (true) {
            SelvedgeKnown before = published;
            SelvedgeKnown next = before == null || mine.covers(before) ? mine : SelvedgeKnown.both(before, mine);
            if (unsafe.compareAndSetReference(this, publishedAt, before, next)) return;
        }
    }

    /** A compare-and-set begins. */
    SelvedgePending begins(SelvedgeKnown mine) {
        while (true) {
            SelvedgePending last = pending;
            SelvedgePending open = last;
            while (open != null && open.isOver) open = open.next;
            SelvedgePending made = new SelvedgePending(this, mine, open);
            if (unsafe.compareAndSetReference(this, pendingAt, last, made)) return made;
        }
    }

    /** It is decided. */
    void ends(SelvedgePending made, boolean wrote) {
        if (wrote) publish(made.known);
        made.isOver = true;
        if (pending == made) unsafe.compareAndSetReference(this, pendingAt, made, made.next);
    }

    /** All that began before is decided, or taken to be. */
    void awaitPending() {
        for (SelvedgePending made = pending; made != null; made = made.next) {
            for (int i = 0; i < LOOKS && !made.isOver; i++) continue;
            if (!made.isOver) ends(made, true);
        }
    }
}
