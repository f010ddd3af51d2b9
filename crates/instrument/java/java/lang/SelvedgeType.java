package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/** What is known of a class: where its objects hold their records, and which calls concern the content of its objects. */
final class SelvedgeType extends WeakReference<Class<?>> {
    private static final int TYPES = 1 << 12;
    private static final SelvedgeType[] types = new SelvedgeType[TYPES];
    private static final int SITES = 1 << 6;

    static Unsafe unsafe;

    /** Where the record is in objects of this class; 0 if they have none. */
    private final long offset;

    /** Calls asked for last, by site: the site, and below it what the call does, 0 nothing, 1 read, 2 write. */
    private int[] calls;

    private SelvedgeType(Class<?> type, long offset) {
        super(type);
        this.offset = offset;
    }

    static SelvedgeType of(Object object) {
        Class<?> type = object.getClass();
        int slot = System.identityHashCode(type) & TYPES - 1;
        SelvedgeType known = types[slot];
        return known != null && known.get() == type ? known : (types[slot] = new SelvedgeType(type, find(type)));
    }

    /** The field that the agent adds to the topmost class that it rewrites. */
    private static long find(Class<?> type) {
        if (type.isArray()) return 0;
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            try {
                return unsafe.objectFieldOffset(above, "$selvedgeL");
            } catch (InternalError none) {
                // Not this one.
            }
        }
        return 0;
    }

    /** The record of an object of this class. */
    SelvedgeRecord recordOf(Object object) {
        if (offset == 0) return SelvedgeTable.recordOf(object);
        SelvedgeRecord known = (SelvedgeRecord) unsafe.getReference(object, offset);
        while (known == null || known.object != object) {
            SelvedgeRecord made = new SelvedgeRecord(object);
            if (unsafe.compareAndSetReference(object, offset, known, made)) return made;
            known = (SelvedgeRecord) unsafe.getReference(object, offset);
        }
        return known;
    }

    /** What the call at a site does to the content of an object of this class. */
    int kindAt(int site, Object object) {
        int[] known = calls;
        int call = known == null ? 0 : known[site & SITES - 1];
        return call >>> 2 == site ? call & 3 : ask(site, object);
    }

    private int ask(int site, Object object) {
        int kind = Selvedge.kind0(object, site);
        int[] known = calls;
        if (known == null) calls = known = new int[SITES];
        known[site & SITES - 1] = site << 2 | kind;
        return kind;
    }
}
