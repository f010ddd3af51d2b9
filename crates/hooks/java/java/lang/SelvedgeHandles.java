package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Which variable a {@code VarHandle} means, told by what the handle's class holds: the place of a field in its objects, the place of a static field, the
 * places of elements. A handle of another kind (of a buffer, or one made from another handle) may mean anything: those are one variable.
 */
final class SelvedgeHandles {
    static final int FIELD = 1;
    static final int STATIC = 2;
    static final int ARRAY = 3;
    static final int BYTES = 4;
    static final int OTHER = 5;

    /** All that is reached by handles of other kinds, and what fences order. */
    static final SelvedgeVariable ALL = new SelvedgeVariable(-1);
    static final SelvedgeVariable FENCES = new SelvedgeVariable(-1);

    final int kind;

    /** Where the handle holds its offset, or that of the first element; and its base, or the shift of indexes. */
    final long offsetAt;
    final long baseAt;

    private SelvedgeHandles(int kind, long offsetAt, long baseAt) {
        this.kind = kind;
        this.offsetAt = offsetAt;
        this.baseAt = baseAt;
    }

    @DontInline
    static SelvedgeHandles of(Class<?> type, Unsafe unsafe) {
        long field = find(type, "fieldOffset", unsafe);
        long base = find(type, "base", unsafe);
        if (field >= 0) return new SelvedgeHandles(base >= 0 ? STATIC : FIELD, field, base);
        long first = find(type, "abase", unsafe);
        long shift = find(type, "ashift", unsafe);
        if (first >= 0 && shift >= 0) return new SelvedgeHandles(ARRAY, first, shift);
        String name = type.getName();
        boolean ofBytes = name.startsWith("java.lang.invoke.VarHandleByteArrayAs") && name.endsWith("$ArrayHandle");
        return new SelvedgeHandles(ofBytes ? BYTES : OTHER, 0, 0);
    }

    private static long find(Class<?> type, String field, Unsafe unsafe) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            try {
                return unsafe.objectFieldOffset(at, field);
            } catch (InternalError none) {
                // Then it may be in the class above.
            }
        }
        return -1;
    }
}
