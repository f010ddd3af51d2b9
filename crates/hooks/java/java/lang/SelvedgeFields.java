package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** Accesses to fields of objects, as far as one comparison has not decided them. */
abstract class SelvedgeFields extends SelvedgeArrays {
    /** Offsets of the words of fields, by their numbers: of reads, of writes, of rows, position and count in the rows, second reads. */
    static long[][] places = new long[256][];
    static final long[] NOWHERE = {};

    /** Static final fields that the thread has read, by number. */
    final int[] seenFinals = new int[FINALS];

    /** Whether the thread has read the field in this epoch, one of those that several have. */
    @ForceInline
    public boolean sees(Object rows, int position) {
        long[][] all = (long[][]) rows;
        long[] own;
        return all != null && chain < all.length && (own = all[chain]) != null && own[position] >>> EPOCH == epoch;
    }

    /**
     * For the first access in this epoch to a field with these words: the word that takes the place of the one for such accesses if nobody but
     * this thread's chain has touched the field, which says nothing new then; otherwise 0. Who puts it there may undo what another thread has put there
     * in the very moment.
     */
    public long ownWord(long read, long second, long write, int site) {
        judges(site);
        if (!quick || ((read | second | write) & 1) != 0 || isOther(read) || isOther(second) || isOther(write)) return 0;
        return word(site);
    }

    /** A read of a field, the first in this epoch. */
    @DontInline
    public void fieldRead(Object object, int site, int field) {
        if (!on || inside || mute || optimistic) return;
        if (passed) renew();
        long[] place = place(object, field);
        if (place.length != 0) readAt(object, place, object, field, site);
    }

    /** A read, the first in this epoch, of what has its words at these places of the holder; {@code part} tells locations of the object apart. */
    @DontInline
    void readAt(Object holder, long[] place, Object object, int part, int site) {
        long read = unsafe.getLong(holder, place[0]);
        long write = unsafe.getLong(holder, place[1]);
        if (recording) {
            record(object, 0, site, 0);
            if (read == SHARED) {
                if (row(holder, place, chain)[(int) place[3]] >>> EPOCH == now >>> STAGES) return;
            } else if (read >>> EPOCH == now >>> STAGES || unsafe.getLong(holder, place[5]) >>> EPOCH == now >>> STAGES) {
                return;
            }
        }
        long second = unsafe.getLong(holder, place[5]);
        boolean shared = ((read | second | write) & 1) != 0 || isOther(read) || isOther(second) || isOther(write);
        noteRead(holder, place, read, word(site) | (shared ? 1 : 0));
        write = unsafe.getLong(holder, place[1]);
        if (!knows(write)) race(object, 0, site, 0, write, 1);
        if (locks && !atomically && (shared || !owners)) tell(object, part, 0, site, 0);
    }

    /** Puts the word of a read where it takes the place of one that says nothing more: first of the chain's own. */
    @DontInline
    void noteRead(Object object, long[] place, long read, long word) {
        int position = (int) place[3];
        while (read != SHARED) {
            long second = unsafe.getLong(object, place[5]);
            if (second >>> CHAIN == chain && second != 0 || read != 0 && !knows(read) && knows(second)) {
                if (unsafe.compareAndSetLong(object, place[5], second, word)) return;
            } else if (knows(read)) {
                if (unsafe.compareAndSetLong(object, place[0], read, word)) return;
            } else {
                row(object, place, (int) (read >>> CHAIN))[position] = read;
                row(object, place, (int) (second >>> CHAIN))[position] = second;
                row(object, place, chain)[position] = word;
                if (unsafe.compareAndSetLong(object, place[0], read, SHARED)) return;
            }
            read = unsafe.getLong(object, place[0]);
        }
        row(object, place, chain)[position] = word;
    }

    /** A write of a field, the first in this epoch. */
    @DontInline
    public void fieldWrite(Object object, int site, int field) {
        if (!on || inside || mute) return;
        if (passed) renew();
        long[] place = place(object, field);
        if (place.length != 0) writeAt(object, place, object, field, site);
    }

    /** As {@link #readAt}, for a write. */
    @DontInline
    void writeAt(Object holder, long[] place, Object object, int part, int site) {
        long write = unsafe.getLong(holder, place[1]);
        long read = unsafe.getLong(holder, place[0]);
        if (recording) {
            record(object, 0, site, 1);
            if (write >>> EPOCH == now >>> STAGES) return;
        }
        long second = unsafe.getLong(holder, place[5]);
        boolean shared = ((read | second | write) & 1) != 0 || isOther(read) || isOther(second) || isOther(write);
        write = unsafe.getAndSetLong(holder, place[1], word(site) | (shared ? 1 : 0));
        if (!knows(write)) {
            race(object, 0, site, 1, write, 1);
        } else {
            read = unsafe.getLong(holder, place[0]);
            if (read == SHARED) {
                read = unknownRead((long[][]) unsafe.getReference(holder, place[2]), (int) place[3]);
                // All reads are before this write: from now on they say nothing that it does not say.
                if (read == 0) unsafe.putLong(holder, place[0], 0);
            } else if (knows(read)) {
                read = unsafe.getLong(holder, place[5]);
            }
            if (!knows(read)) race(object, 0, site, 1, read, 0);
        }
        if (locks && !atomically && (shared || !owners)) tell(object, part, 0, site, 1);
    }

    // --- the content of library objects

    /** Where the words of an object's content are in its record, and which part of the object the content is. */
    private static long[] contentPlace;
    private static final int CONTENT = -1;

    static void beginContent() {
        contentPlace = new long[] {
            unsafe.objectFieldOffset(SelvedgeRecord.class, "read"),
            unsafe.objectFieldOffset(SelvedgeRecord.class, "write"),
            unsafe.objectFieldOffset(SelvedgeRecord.class, "rows"),
            0,
            1,
            unsafe.objectFieldOffset(SelvedgeRecord.class, "second"),
        };
    }

    /** Of so many sites it is remembered which object was called there. */
    static final int CALLED = 1 << 4;

    /** A call on what may be an unsynchronised library object. */
    @DontInline
    void libraryCall(Object object, int site) {
        int slot = site & CALLED - 1;
        SelvedgeCaches caches = caches();
        if (caches == null) return;
        if (caches.called[slot] == object && caches.calledAt[slot] == site && caches.calledWhen[slot] == epoch) return;
        if (inside || mute) return;
        if (passed) renew();
        judges(site);
        judgeCall(object, site, caches);
        if (epoch < 0 || optimistic) return;
        caches.called[slot] = object;
        caches.calledAt[slot] = site;
        caches.calledWhen[slot] = epoch;
    }

    /** The same, if it is not one that the thread has just made. */
    @DontInline
    private void judgeCall(Object object, int site, SelvedgeCaches caches) {
        SelvedgeType type = SelvedgeType.of(object);
        SelvedgeCall call = callAt(type, object, site);
        if (call.kind != 0) judgeContent(object, type, call.kind, site, caches);
        if (call.kindBehind == 0) return;
        Object behind = call.behind(object, unsafe);
        if (behind != null) judgeContent(behind, SelvedgeType.of(behind), call.kindBehind, site, caches);
    }

    private SelvedgeCall callAt(SelvedgeType type, Object object, int site) {
        inside = true;
        try {
            return type.callAt(site, object);
        } catch (OutOfMemoryError error) {
            return SelvedgeCall.NONE;
        } finally {
            inside = false;
        }
    }

    private void judgeContent(Object object, SelvedgeType type, int kind, int site, SelvedgeCaches caches) {
        for (int i = 0; i < freshCount; i++) {
            if (caches.fresh[i] == object) return;
        }
        SelvedgeRecord record = type.recordOf(object);
        if (kind == 1) {
            if (optimistic || record.read >>> EPOCH == epoch || record.second >>> EPOCH == epoch) return;
            if (record.read == SHARED && sees(record.rows, 0)) return;
            readAt(record, contentPlace, object, CONTENT, site);
        } else if (record.write >>> EPOCH != epoch) {
            writeAt(record, contentPlace, object, CONTENT, site);
        }
    }

    /** The word of a read that the thread does not know, 0 if there is none. */
    long unknownRead(long[][] rows, int position) {
        if (rows == null) return 0;
        for (int other = 0; other < rows.length; other++) {
            long[] row = rows[other];
            if (row != null && position < row.length && !knows(row[position])) return row[position];
        }
        return 0;
    }

    /** The words of the chain's reads of the object's shared fields, made if there are none. */
    @DontInline
    static long[] row(Object object, long[] place, int chain) {
        long[][] rows = (long[][]) unsafe.getReference(object, place[2]);
        if (rows != null && chain < rows.length && rows[chain] != null) return rows[chain];
        synchronized (STATICS) {
            rows = (long[][]) unsafe.getReference(object, place[2]);
            if (rows == null || chain >= rows.length) {
                long[][] more = new long[chain + 2][];
                if (rows != null) System.arraycopy(rows, 0, more, 0, rows.length);
                rows = more;
            }
            if (rows[chain] == null) rows[chain] = new long[(int) place[4]];
            unsafe.putReference(object, place[2], rows);
            return rows[chain];
        }
    }

    /** Where the words of the field are in the object; empty if that cannot be found out. */
    long[] place(Object object, int field) {
        long[][] known = places;
        long[] place = field < known.length ? known[field] : null;
        return place == null ? findPlace(object, field) : place;
    }

    /** The highest class above one that has a field: words of whole objects are there. */
    private static Class<?> topmost(Class<?> from, String field) {
        Class<?> found = from;
        for (Class<?> above = from.getSuperclass(); above != null; above = above.getSuperclass()) {
            try {
                unsafe.objectFieldOffset(above, field);
                found = above;
            } catch (InternalError missing) {
                // Not here.
            }
        }
        return found;
    }

    @DontInline
    long[] findPlace(Object object, int field) {
        inside = true;
        long[] place = NOWHERE;
        try {
            // Class, field, position in rows, length of rows, what names of words begin with, first field with all this.
            String[] said = Selvedge.field0(field).split(":");
            Class<?> declaring = object.getClass();
            while (declaring != null && !declaring.getName().equals(said[0])) declaring = declaring.getSuperclass();
            if (declaring != null) {
                if (said[1].isEmpty()) declaring = topmost(declaring, said[4] + "V");
                place = new long[] {
                    unsafe.objectFieldOffset(declaring, said[4] + "R$" + said[1]),
                    unsafe.objectFieldOffset(declaring, said[4] + "W$" + said[1]),
                    unsafe.objectFieldOffset(declaring, said[4] + "V"),
                    Integer.parseInt(said[2]),
                    Integer.parseInt(said[3]),
                    unsafe.objectFieldOffset(declaring, said[4] + "S$" + said[1]),
                };
                // Classes that several loaders have are alike.
                int first = Integer.parseInt(said[5]);
                if (first < places.length && java.util.Arrays.equals(places[first], place)) place = places[first];
            }
        } catch (Throwable failure) {
            // The field is not observed.
        } finally {
            inside = false;
        }
        synchronized (STATICS) {
            long[][] all = places;
            if (field >= all.length) {
                long[][] more = new long[2 * field][];
                System.arraycopy(all, 0, more, 0, all.length);
                all = more;
            }
            all[field] = place;
            places = all;
        }
        return place;
    }
}
