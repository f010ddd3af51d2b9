package java.lang;

import java.lang.ref.WeakReference;

/** What is known of an object that is locked, has variables by which threads are ordered, or is a library object or an array. */
final class SelvedgeRecord {
    /**
     * The object, if a field of it holds this record: a clone has the record of its original, and is told by this. Null if the
     * record is found by {@link SelvedgeTable}, which must not keep the object.
     */
    final Object object;

    /** Tells locks apart in hashes of locks held. */
    final int id;

    /** The thread that alone has taken the lock, or touched the variables, and how often; null before the first, and, with -1, after a second thread. */
    SelvedgeOrder only;
    int turns;

    /** What the thread knew that gave the monitor back last. Only whoever holds the monitor touches it. */
    SelvedgeKnown released;

    /** What was known to those who wrote the object's variables. */
    volatile SelvedgeKnown published;

    /** The words of a library object's content, as those of a field. */
    long read;
    long second;
    long write;
    Object rows;

    /** The words of an array. */
    SelvedgeArray array;

    /** By mode: this lock and no other, held. */
    private SelvedgeHeld[] alone;
    private WeakReference<Object> weak;

    private static int made;

    SelvedgeRecord(Object object) {
        this.object = object;
        // Two threads may give the same number: then two locks look alike to a cache, now and then.
        id = ++made * 0x9e3779b1;
    }

    /** A reference to the object, which is the one of this record. */
    WeakReference<Object> weak(Object object) {
        WeakReference<Object> known = weak;
        if (known == null) weak = known = new WeakReference<>(object);
        return known;
    }

    SelvedgeHeld alone(Object object, int mode) {
        SelvedgeHeld[] known = alone;
        if (known == null) alone = known = new SelvedgeHeld[3];
        SelvedgeHeld held = known[mode];
        if (held == null) {
            held = new SelvedgeHeld(new WeakReference<?>[] {weak(object)}, new int[] {mode});
            known[mode] = held;
        }
        return held;
    }
}
