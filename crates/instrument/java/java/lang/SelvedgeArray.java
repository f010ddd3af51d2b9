package java.lang;

/**
 * The words of an array's elements: who wrote each last, and for each chain of threads when and where it read each last. See
 * {@link Selvedge} for what a word is. The static fields of all classes are elements of one such array, too.
 */
final class SelvedgeArray {
    /** Arrays with more elements than this have one word for sixteen neighbours. */
    private static final int MAX_ELEMENTS = 1 << 18;
    private static final int GROUP = 4;

    /** How many words there are. */
    final int size;
    final int shift;

    /** The words of the last writes; null before the first one. */
    volatile long[] writes;

    /** By chain: the times of its last reads, and where they were. Rows may be shorter than there are words. */
    volatile int[][] reads = {};
    private volatile int[][] sites = {};

    static final int NOBODY = -1;
    private static final int SEVERAL = -2;

    /** The only chain that reads, if there is one. */
    volatile int reader = NOBODY;

    /** For detection by locks: whether a second thread has touched the element. */
    boolean[] shared;

    /** @param whole whether the array is one location */
    SelvedgeArray(int length, boolean whole) {
        shift = whole ? 31 : length <= MAX_ELEMENTS ? 0 : GROUP;
        size = whole ? 1 : (length >> shift) + (shift == 0 ? 0 : 1);
    }

    /** Whether several locations share a word. */
    boolean isGrouped() {
        return shift == GROUP;
    }

    int[] known(int chain) {
        int[][] rows = reads;
        return chain < rows.length ? rows[chain] : null;
    }

    int[] sites(int chain) {
        return sites[chain];
    }

    /** Where a chain has read an element last. */
    int site(int chain, int at) {
        int[][] rows = sites;
        return chain < rows.length && rows[chain] != null && at < rows[chain].length ? rows[chain][at] : 0;
    }

    /** The times of a chain's reads, with room for this element. */
    synchronized int[] row(int chain, int at, boolean growing) {
        sites = longer(sites, chain, at, growing);
        reads = longer(reads, chain, at, growing);
        if (reader != chain) reader = reader == NOBODY ? chain : SEVERAL;
        return reads[chain];
    }

    private int[][] longer(int[][] rows, int chain, int at, boolean growing) {
        if (chain >= rows.length) {
            int[][] more = new int[chain + 2][];
            System.arraycopy(rows, 0, more, 0, rows.length);
            rows = more;
        }
        int[] row = rows[chain];
        if (row == null || at >= row.length) {
            int[] longer = new int[growing ? Math.min(size, Math.max(64, Integer.highestOneBit(at) << 1)) : size];
            if (row != null) System.arraycopy(row, 0, longer, 0, row.length);
            rows[chain] = longer;
        }
        return rows;
    }

    /** The words of writes, made if there are none. */
    synchronized long[] writes() {
        long[] words = writes;
        if (words == null) writes = words = new long[size];
        return words;
    }

    /** An element has a second thread. */
    synchronized void share(int at) {
        if (shared == null) shared = new boolean[size];
        shared[at] = true;
    }

    /** For detection by locks: whether no element has a second thread, as far as this chain can tell, which has written them. */
    boolean isOwn(int chain) {
        return shared == null && (reader == chain || reader == NOBODY);
    }

    boolean isShared(int at) {
        boolean[] known = shared;
        return known != null && known[at];
    }
}
