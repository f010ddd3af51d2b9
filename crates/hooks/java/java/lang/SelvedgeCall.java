package java.lang;

import jdk.internal.misc.Unsafe;

/** What a call at a site does to the content of objects of one class: its own, and that of the object that it is a view of or walks over. It never changes. */
final class SelvedgeCall {
    /** At no site. */
    static final SelvedgeCall NONE = new SelvedgeCall(-1, 0, 0, null);

    final int site;

    /** 0 nothing, 1 read, 2 write. */
    final int kind;
    final int kindBehind;

    /** The fields that lead to the object behind, by their places; null if there is none. */
    private final long[] path;

    SelvedgeCall(int site, int kind, int kindBehind, long[] path) {
        this.site = site;
        this.kind = kind;
        this.kindBehind = path == null ? 0 : kindBehind;
        this.path = path;
    }

    /** The object behind this one; null if there is none. */
    Object behind(Object object, Unsafe unsafe) {
        for (int i = 0; i < path.length && object != null; i++) object = unsafe.getReference(object, path[i]);
        return object;
    }

    /** The places of the fields that these names say, as {@code class#field}, with commas between them; null if one of them is not there. */
    static long[] path(Object object, String names, Unsafe unsafe) {
        if (names == null || names.isEmpty()) return null;
        String[] steps = names.split(",");
        long[] path = new long[steps.length];
        for (int i = 0; i < steps.length; i++) {
            int end = steps[i].indexOf('#');
            String owner = steps[i].substring(0, end);
            Class<?> at = object.getClass();
            while (at != null && !at.getName().equals(owner)) at = at.getSuperclass();
            if (at == null) return null;
            try {
                path[i] = unsafe.objectFieldOffset(at, steps[i].substring(end + 1));
            } catch (InternalError none) {
                return null;
            }
            object = unsafe.getReference(object, path[i]);
            if (object == null) return null;
        }
        return path;
    }
}
