package java.lang;

/**
 * What one thread knows of one array. Only that thread touches it: it is in the thread's cache and in local variables of its
 * frames, so that an access finds the words of an element without a search.
 */
public final class SelvedgeView {
    private static final long[] EMPTY = {};
    private static final int[] NEVER = {};

    /** The array; null for the view of nothing. */
    final Object array;

    /** The words of all threads; null while there are none. */
    SelvedgeArray shadow;

    /** The times of the thread's own reads, and where they were; empty while it has read nothing. */
    int[] reads = NEVER;
    int[] sites = NEVER;

    /** The words of writes; empty while the thread has written nothing. */
    long[] writes = EMPTY;

    /** The last accesses of the thread to many elements at once, and their epochs: reads and writes. */
    SelvedgeRange rangeRead = SelvedgeRange.NONE;
    SelvedgeRange rangeWritten = SelvedgeRange.NONE;
    long rangeReadAt = -2;
    long rangeWrittenAt = -2;

    /** The last of them. */
    SelvedgeRange range = SelvedgeRange.NONE;

    /** The ranges of the array when they were last looked through, and those of other chains among them. */
    SelvedgeRange[] seenRanges;
    SelvedgeRange[] othersRanges;

    /** How often a chain had begun to touch single elements when all that they did was before what the thread did. */
    int seenSingles = -1;

    /** For detection by locks: the ranges, and how often single elements were touched, when no other chain had touched the array. */
    SelvedgeRange[] ownedRanges;
    int ownedSingles;

    /** When the thread's chain has last read and written single elements. */
    int[] latest;

    /** So many neighbours share one word, as a power of two. */
    int shift;

    /** For detection by locks: with which locks reads and writes were told; see {@link SelvedgeArray#told}. */
    private int[] toldReads = NEVER;
    private int[] toldWrites = NEVER;

    /** The epoch in which the thread has made the array, if it has: until its end nobody else knows it. */
    long fresh = -2;

    SelvedgeView(Object array) {
        this.array = array;
    }

    /** Gets the times of reads, if there are any. */
    void readsOf(int[] known, int chain) {
        if (known == null) return;
        sites = shadow.sites(chain);
        reads = known;
    }

    /** Gets the words. */
    void attach(SelvedgeArray shadow, int chain) {
        this.shadow = shadow;
        shift = shadow.shift;
        fresh = -2;
        latest = shadow.latest(chain);
        readsOf(shadow.known(chain), chain);
        if (shadow.writes != null) writes = shadow.writes;
    }

    /** Whether no other chain has touched the array, as was found out before: then there would be a new range, or a new touch. */
    boolean isStillOwned() {
        return shadow.ranges == ownedRanges && shadow.singles == ownedSingles;
    }

    /** With which locks accesses of a kind were told. */
    int[] told(int chain, int kind, int at) {
        int[] told = kind == 0 ? toldReads : toldWrites;
        if (at < told.length) return told;
        told = shadow.told(chain, kind, at);
        if (kind == 0) {
            toldReads = told;
        } else {
            toldWrites = told;
        }
        return told;
    }
}
