package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/** What is known of a class: where its objects hold their records, and which calls concern the content of its objects. */
final class SelvedgeType extends WeakReference<Class<?>> {
    private static final int TYPES = 1 << 12;
    /** By identity of the class, those with the same last bits behind each other. */
    private static final SelvedgeType[] types = new SelvedgeType[TYPES];
    private static final int SITES = 1 << 6;

    static Unsafe unsafe;

    /** Where the record is in objects of this class; 0 if they have none. */
    private final long offset;

    /** Calls asked for last, by site. */
    private SelvedgeCall[] calls;

    /** Fields asked for last, by site: the site and, above it, the place of the field in objects of this class. */
    private long[] places;
    static final int NOWHERE = -1;

    /** If this is a class of variable handles: how they tell their variables. */
    private SelvedgeHandles handles;

    private SelvedgeType next;

    private SelvedgeType(Class<?> type, long offset) {
        super(type);
        this.offset = offset;
    }

    static SelvedgeType of(Object object) {
        return of(object.getClass());
    }

    private static SelvedgeType of(Class<?> type) {
        for (SelvedgeType known = types[slotOf(type)]; known != null; known = known.next) {
            if (known.get() == type) return known;
        }
        return add(new SelvedgeType(type, find(type)));
    }

    private static int slotOf(Class<?> type) {
        return System.identityHashCode(type) & TYPES - 1;
    }

    /** Two threads may add the same class: then both are right, and the one is found. */
    @DontInline
    private static synchronized SelvedgeType add(SelvedgeType made) {
        int slot = slotOf(made.get());
        SelvedgeType kept = null;
        for (SelvedgeType known = types[slot]; known != null; known = known.next) {
            if (known.get() == null) continue;
            kept = known;
            break;
        }
        made.next = kept;
        types[slot] = made;
        return made;
    }

    /** The field that the agent adds to the topmost class that it rewrites. */
    @DontInline
    private static long find(Class<?> type) {
        if (type.isArray()) return 0;
        Class<?> above = type.getSuperclass();
        long inherited = above == null ? 0 : of(above).offset;
        if (inherited != 0) return inherited;
        // A field of this name may be the program's.
        if (Selvedge.clashes0(type)) return 0;
        try {
            return unsafe.objectFieldOffset(type, "$selvedgeL");
        } catch (InternalError none) {
            return 0;
        }
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

    /** How handles of this class tell their variables. */
    SelvedgeHandles handles(Object handle) {
        SelvedgeHandles known = handles;
        if (known == null) handles = known = SelvedgeHandles.of(handle.getClass(), unsafe);
        return known;
    }

    /** What the call at a site does to the content of an object of this class. */
    SelvedgeCall callAt(int site, Object object) {
        SelvedgeCall[] known = calls;
        SelvedgeCall call = known == null ? null : known[site & SITES - 1];
        return call != null && call.site == site ? call : ask(site, object);
    }

    /** Where in an object of this class the field is that the site names. */
    long placeAt(int site, Object object) {
        long[] known = places;
        long place = known == null ? 0 : known[site & SITES - 1];
        return (int) place == site ? place >> 32 : findPlace(site, object);
    }

    @DontInline
    private long findPlace(int site, Object object) {
        long place = NOWHERE;
        String said = Selvedge.target0(site);
        int colon = said == null ? -1 : said.indexOf(':');
        if (colon >= 0) place = offsetOf(object.getClass(), said.substring(0, colon), said.substring(colon + 1));
        long[] known = places;
        if (known == null) places = known = new long[SITES];
        known[site & SITES - 1] = place << 32 | site;
        return place;
    }

    /** Where in objects of a class the field is that the class with this name, or one above it, declares. */
    private static long offsetOf(Class<?> type, String owner, String field) {
        Class<?> at = type;
        while (at != null && !at.getName().equals(owner)) at = at.getSuperclass();
        for (; at != null; at = at.getSuperclass()) {
            try {
                return unsafe.objectFieldOffset(at, field);
            } catch (InternalError none) {
                // Then it is inherited.
            }
        }
        return NOWHERE;
    }

    @DontInline
    private SelvedgeCall ask(int site, Object object) {
        int kinds = Selvedge.kind0(object, site);
        int behind = kinds >> 2;
        long[] path = behind == 0 ? null : SelvedgeCall.path(object, Selvedge.behind0(object, site), unsafe);
        SelvedgeCall call = new SelvedgeCall(site, kinds & 3, behind, path);
        SelvedgeCall[] known = calls;
        if (known == null) calls = known = new SelvedgeCall[SITES];
        known[site & SITES - 1] = call;
        return call;
    }
}
