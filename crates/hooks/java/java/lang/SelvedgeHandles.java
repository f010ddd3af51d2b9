package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Which variable a {@code VarHandle} means, told by what the handle's class holds: the place of a field in its objects, the place of a static field, the
 * places of elements. A handle of another kind (of a buffer, or one made from another handle) may mean anything: those are one variable. The same for a
 * {@code MethodHandle} that reads or writes a field; one of another kind means none.
 */
final class SelvedgeHandles {
    static final int FIELD = 1;
    static final int STATIC = 2;
    static final int ARRAY = 3;
    static final int BYTES = 4;
    static final int OTHER = 5;
    static final int ACCESSOR = 6;
    static final int STATIC_ACCESSOR = 7;
    static final int NONE = 8;

    /** All that is reached by handles of other kinds, and what fences order. */
    static final SelvedgeVariable ALL = new SelvedgeVariable(-1);
    static final SelvedgeVariable FENCES = new SelvedgeVariable(-1);

    /** Places in memory outside of the heap, by their addresses: so many that two seldom share one, which orders too much. */
    private static final SelvedgeVariable[] MEMORY = new SelvedgeVariable[256];

    static {
        for (int i = 0; i < MEMORY.length; i++) MEMORY[i] = new SelvedgeVariable(-1);
    }

    final int kind;

    /** Where the handle holds its offset, or that of the first element; and its base, or the shift of indexes. */
    final long offsetAt;
    final long baseAt;

    /** Where a method handle of a field holds what it knows of it, and where in there the modifiers are. */
    private final long memberAt;
    private final long flagsAt;

    private SelvedgeHandles(int kind, long offsetAt, long baseAt) {
        this(kind, offsetAt, baseAt, 0, 0);
    }

    private SelvedgeHandles(int kind, long offsetAt, long baseAt, long memberAt, long flagsAt) {
        this.kind = kind;
        this.offsetAt = offsetAt;
        this.baseAt = baseAt;
        this.memberAt = memberAt;
        this.flagsAt = flagsAt;
    }

    @DontInline
    static SelvedgeHandles of(Class<?> type, Unsafe unsafe) {
        if (java.lang.invoke.MethodHandle.class.isAssignableFrom(type)) return ofMethodHandle(type, unsafe);
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

    private static SelvedgeHandles ofMethodHandle(Class<?> type, Unsafe unsafe) {
        long member = find(type, "member", unsafe);
        long field = find(type, "fieldOffset", unsafe);
        long offset = find(type, "staticOffset", unsafe);
        long base = find(type, "staticBase", unsafe);
        boolean isStatic = offset >= 0 && base >= 0;
        if (member < 0 || field < 0 && !isStatic) return new SelvedgeHandles(NONE, 0, 0);
        long flags;
        try {
            flags = unsafe.objectFieldOffset(Class.forName("java.lang.invoke.MemberName", false, null), "flags");
        } catch (ClassNotFoundException | InternalError none) {
            return new SelvedgeHandles(NONE, 0, 0);
        }
        return isStatic ? new SelvedgeHandles(STATIC_ACCESSOR, offset, base, member, flags)
            : new SelvedgeHandles(ACCESSOR, field, -1, member, flags);
    }

    /** What orders at this address. */
    static SelvedgeVariable memory(long address) {
        return MEMORY[(int) (address >>> 2) & MEMORY.length - 1];
    }

    /** Where the field of a handle is in its objects. */
    long offset(Object handle, Unsafe unsafe) {
        // Of a method handle it is an int in some versions of the JDK, and a small long in others.
        return kind == ACCESSOR ? unsafe.getInt(handle, offsetAt) : unsafe.getLong(handle, offsetAt);
    }

    /** Whether the field that a method handle reads or writes is volatile. */
    boolean isVolatile(Object handle, Unsafe unsafe) {
        Object member = unsafe.getReference(handle, memberAt);
        return member != null && (unsafe.getInt(member, flagsAt) & 64) != 0;
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
