package java.lang;

/**
 * What one thread knows of one array. Only that thread touches it: it is in the thread's cache and in local variables of its
 * frames, so that an access finds the words of an element without a search.
 */
public final class SelvedgeView {
    private static final long[] EMPTY = {};

    /** The array; null for the view of nothing. */
    final Object array;

    /** The words of all threads; null while there are none. */
    SelvedgeArray shadow;

    /** The words of the thread's own reads; empty while it has read nothing. */
    long[] reads = EMPTY;

    /** The words of writes; empty while the thread has written nothing. */
    long[] writes = EMPTY;

    /** So many neighbours share one word, as a power of two. */
    int shift;

    /** The epoch in which the thread has made the array, if it has: until its end nobody else knows it. */
    long fresh = -2;

    SelvedgeView(Object array) {
        this.array = array;
    }

    /** Gets the words. */
    void attach(SelvedgeArray shadow, int chain) {
        this.shadow = shadow;
        shift = shadow.shift;
        fresh = -2;
        long[] known = shadow.known(chain);
        if (known != null) reads = known;
        if (shadow.writes != null) writes = shadow.writes;
    }
}
