package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/** What is known of an object that is locked, has variables by which threads are ordered, or is a library object or an array. */
final class SelvedgeRecord extends SelvedgeTurns {
    /**
     * The object, if a field of it holds this record: a clone has the record of its original, and this distinguishes it. Null if the
     * record is found by {@link SelvedgeTable}, which must not keep the object.
     */
    final Object object;

    /** Tells locks apart in hashes of locks held. */
    final int id;

    /** What the thread knew that gave the monitor back last. Only whoever holds the monitor touches it. */
    SelvedgeKnown released;

    /** The object's variables by which threads are ordered: the first that was written, and the others by their places. */
    private SelvedgeVariable first;
    private volatile SelvedgeVariable[] others;
    private int otherCount;

    /** The words of a library object's content, as those of a field. */
    long read;
    long second;
    long write;
    Object rows;

    /** The words of an array. */
    SelvedgeArray array;

    /** The site that made an array or a library object, 0 if it is not known. */
    int madeAt;

    /** By mode: this lock and no other, held. */
    private SelvedgeHeld[] alone;
    private WeakReference<Object> weak;

    private static int made;

    SelvedgeRecord(Object object) {
        this.object = object;
        // Two threads may give the same number: then two locks look alike to a cache, now and then.
        id = ++made * 0x9e3779b1;
    }

    /** The variable at this place of the object; null if it was not written yet. */
    SelvedgeVariable known(long offset) {
        SelvedgeVariable known = first;
        if (known == null || known.offset == offset) return known;
        SelvedgeVariable[] table = others;
        return table == null ? null : table[slotOf(table, offset)];
    }

    /** The variable at this place of the object. */
    SelvedgeVariable variable(long offset) {
        SelvedgeVariable known = known(offset);
        return known == null ? add(offset) : known;
    }

    private static int slotOf(SelvedgeVariable[] table, long offset) {
        int hash = (int) (offset >>> 2) * 0x9e3779b1;
        int slot = (hash ^ hash >>> 16) & table.length - 1;
        while (table[slot] != null && table[slot].offset != offset) slot = slot + 1 & table.length - 1;
        return slot;
    }

    @DontInline
    private synchronized SelvedgeVariable add(long offset) {
        SelvedgeVariable known = known(offset);
        if (known != null) return known;
        SelvedgeVariable made = new SelvedgeVariable(offset);
        if (first == null) return first = made;
        SelvedgeVariable[] table = others;
        if (table == null) {
            table = new SelvedgeVariable[4];
        } else if (2 * otherCount >= table.length) {
            SelvedgeVariable[] larger = new SelvedgeVariable[2 * table.length];
            for (SelvedgeVariable variable : table) {
                if (variable != null) larger[slotOf(larger, variable.offset)] = variable;
            }
            table = larger;
        }
        table[slotOf(table, offset)] = made;
        otherCount++;
        others = table;
        return made;
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
