package java.lang;

/**
 * The words of an array's elements: who wrote each last, and for each chain of threads when and where it read each last. See
 * {@link Selvedge} for what a word is. The static fields of all classes are elements of one such array, too.
 */
final class SelvedgeArray {
    /** Arrays with more elements than this have one word for sixteen neighbours. */
    private static final int MAX_ELEMENTS = 1 << 18;
    private static final int GROUP = 4;

    /** So many words there are at least, if there are so many elements. */
    private static final int FEW = 1 << 6;

    /** How many words there are. */
    final int size;
    final int shift;

    /**
     * The words of the last writes; null before the first one. As many as the writes so far needed, or some more: programs make large arrays and use
     * their beginning. When it becomes longer it is another array, and whoever has the old one finds that out before it notes anything; what it notes in
     * this very moment is lost, until its next epoch.
     */
    volatile long[] writes;

    /** By chain: the times of its last reads, and where they were, as long as for writes. */
    volatile int[][] reads = {};
    private volatile int[][] sites = {};

    static final int NOBODY = -1;
    private static final int SEVERAL = -2;

    /** The only chain that reads, if there is one. */
    volatile int reader = NOBODY;

    /** Accesses to many elements at once, in no order; a new array whenever one comes or goes. */
    volatile SelvedgeRange[] ranges = {};

    /** At most so many are kept. */
    private static final int MAX_RANGES = 12;

    /** How often, by and large, a chain has begun to touch single elements in an epoch. */
    volatile int singles;

    /** By chain: when it has last read, and when it has last written, single elements. */
    private volatile int[][] latest = {};

    /** For detection by locks: whether a second thread has touched the element. */
    boolean[] shared;

    /** For detection by locks: by chain and kind, with which locks (a hash, which is the thread's own) accesses to each element were told; 0 if they were not. */
    private volatile int[][] told = {};

    /** For detection by locks: whether the agent was told of the accesses to many elements, and whether it wants them one by one. */
    boolean isTold;
    volatile boolean apart;

    /** What {@link #singles} was when the agent was first told. */
    int toldSingles;

    /** How often an element got a second thread, or the agent heard of something new. */
    volatile int shares;

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
    synchronized int[] row(int chain, int at) {
        sites = longer(sites, chain, at);
        reads = longer(reads, chain, at);
        if (reader != chain) reader = reader == NOBODY ? chain : SEVERAL;
        return reads[chain];
    }

    /** With which locks accesses of the chain and kind were told, with room for this element. */
    synchronized int[] told(int chain, int kind, int at) {
        int row = chain << 1 | kind;
        told = longer(told, row, at);
        return told[row];
    }

    /** How long words with room for this one are. */
    private int lengthFor(int at) {
        return Math.min(size, Math.max(FEW, Integer.highestOneBit(at) << 1));
    }

    private int[][] longer(int[][] rows, int chain, int at) {
        if (chain >= rows.length) {
            int[][] more = new int[chain + 2][];
            System.arraycopy(rows, 0, more, 0, rows.length);
            rows = more;
        }
        int[] row = rows[chain];
        if (row == null || at >= row.length) {
            int[] longer = new int[lengthFor(at)];
            if (row != null) System.arraycopy(row, 0, longer, 0, row.length);
            rows[chain] = longer;
        }
        return rows;
    }

    /** When the chain has last read (0) and last written (1) single elements; only its thread writes there. */
    synchronized int[] latest(int chain) {
        int[][] all = latest;
        if (chain >= all.length) {
            int[][] more = new int[chain + 2][];
            System.arraycopy(all, 0, more, 0, all.length);
            all = more;
        }
        if (all[chain] == null) all[chain] = new int[2];
        latest = all;
        return all[chain];
    }

    /** Notes that a chain touches single elements at a time: reads (0) or writes (1) them. */
    void touch(int[] latest, int kind, int time) {
        if (latest[kind] == time) return;
        latest[kind] = time;
        singles++;
    }

    /** Whether all accesses of other chains to single elements that a read, or a write, could race with came before. */
    boolean isKnown(int[] clock, int known, int chain, boolean writes) {
        int[][] all = latest;
        for (int other = 0; other < all.length; other++) {
            int[] times = all[other];
            if (times == null || other == chain) continue;
            int wanted = writes && times[0] > times[1] ? times[0] : times[1];
            if (wanted != 0 && (other >= known || clock[other] < wanted)) return false;
        }
        return true;
    }

    /** Adds an access of this thread, unless there are too many. Whether it was added. */
    synchronized boolean add(SelvedgeRange made) {
        SelvedgeRange[] kept = without(made);
        if (kept.length >= MAX_RANGES) return false;
        kept = java.util.Arrays.copyOf(kept, kept.length + 1);
        kept[kept.length - 1] = made;
        keep(kept);
        return true;
    }

    /** From now on there are these accesses. Those that have gone are not used again. */
    private void keep(SelvedgeRange[] kept) {
        SelvedgeRange[] known = ranges;
        ranges = kept;
        for (SelvedgeRange range : known) range.isGone = true;
        for (SelvedgeRange range : kept) range.isGone = false;
    }

    /** So many elements of a range at most become single ones when a later range is to all others of it. */
    private static final int MAX_REST = 16;

    /**
     * Notes of an earlier range's elements that a later one of the chain is not to that they were accessed as single ones, if they are few: as walks that
     * become shorter and shorter leave them. Whether this was done; then the range is needless.
     */
    private boolean becomesSingle(SelvedgeRange earlier, SelvedgeRange later) {
        boolean isAlike = earlier.chain == later.chain && earlier.step == 1 && later.step == 1 && (later.writes || !earlier.writes);
        if (!isAlike || shift != 0 || SelvedgeOrder.locks || earlier.first > later.last || earlier.last < later.first) return false;
        if (Math.max(later.first - earlier.first, 0) + Math.max(earlier.last - later.last, 0) > MAX_REST) return false;
        for (int at = earlier.first; at < later.first; at++) {
            if (!noteSingle(at, earlier)) return false;
        }
        for (int at = later.last + 1; at <= earlier.last; at++) {
            if (!noteSingle(at, earlier)) return false;
        }
        int time = (int) (earlier.word >>> SelvedgeOrder.TIME) & SelvedgeOrder.MAX_TIME;
        int[] latest = latest(earlier.chain);
        int kind = earlier.writes ? 1 : 0;
        if (latest[kind] < time) touch(latest, kind, time);
        return true;
    }

    /** Notes what a range of this thread says of an element in the element's own words. Whether nobody else's word is there. */
    private boolean noteSingle(int at, SelvedgeRange range) {
        long word = range.word;
        if (!range.writes) {
            int time = (int) (word >>> SelvedgeOrder.TIME) & SelvedgeOrder.MAX_TIME;
            int[] times = row(range.chain, at);
            if (times[at] < time) {
                times[at] = time;
                sites[range.chain][at] = (int) (word >>> SelvedgeOrder.SITE) & SelvedgeOrder.MAX_SITE;
            }
            return true;
        }
        long[] words = writes(at);
        long known = words[at];
        if (known != 0 && known >>> SelvedgeOrder.CHAIN != range.chain) return false;
        return known >>> SelvedgeOrder.TIME >= word >>> SelvedgeOrder.TIME && known != 0
            || SelvedgeOrder.unsafe.compareAndSetLong(words, SelvedgeOrder.longs + 8L * at, known, word);
    }

    /** Lets an access of this thread reach further from now on, if it is among those that are kept. Whether it is. */
    boolean grow(SelvedgeRange own, int last) {
        boolean isKept = false;
        for (SelvedgeRange range : ranges) isKept |= range == own;
        if (!isKept) return false;
        own.last = last;
        for (SelvedgeRange range : ranges) {
            if (range != own && own.says(range)) drop(own);
        }
        return true;
    }

    /** Drops what an access makes needless. */
    private synchronized void drop(SelvedgeRange by) {
        SelvedgeRange[] kept = without(by);
        if (kept.length < ranges.length) keep(kept);
    }

    /** The accesses but for those that say nothing more than this one of the same chain does now, or of few elements only. */
    private SelvedgeRange[] without(SelvedgeRange made) {
        SelvedgeRange[] known = ranges;
        SelvedgeRange[] kept = new SelvedgeRange[known.length];
        int count = 0;
        for (SelvedgeRange range : known) {
            if (range == made || !made.says(range) && !becomesSingle(range, made)) kept[count++] = range;
        }
        return java.util.Arrays.copyOf(kept, count);
    }

    /** Whether another chain has touched the array. */
    boolean isTouchedByOthers(int chain) {
        for (SelvedgeRange range : ranges) {
            if (range.chain != chain) return true;
        }
        int[][] all = latest;
        for (int other = 0; other < all.length; other++) {
            if (other != chain && all[other] != null && (all[other][0] | all[other][1]) != 0) return true;
        }
        return false;
    }

    /** There are no chains with higher numbers among those that have touched single elements. */
    int chains() {
        return latest.length;
    }

    /** A word of the chain's if it has touched the element as a single one last, 0 if not. */
    long wordOf(int chain, int at) {
        long[] words = writes;
        if (words != null && at < words.length && words[at] != 0 && words[at] >>> SelvedgeOrder.CHAIN == chain) return words[at];
        int[] times = known(chain);
        return times == null || at >= times.length || times[at] == 0 ? 0 : (long) chain << SelvedgeOrder.CHAIN | (long) times[at] << SelvedgeOrder.TIME;
    }

    /** The words of writes, with room for this element. */
    synchronized long[] writes(int at) {
        long[] words = writes;
        if (words != null && at < words.length) return words;
        long[] longer = new long[lengthFor(at)];
        if (words != null) System.arraycopy(words, 0, longer, 0, words.length);
        return writes = longer;
    }

    /** The word of the last write to an element. */
    long write(int at) {
        long[] words = writes;
        return words == null || at >= words.length ? 0 : words[at];
    }

    /** An element has a second thread. */
    synchronized void share(int at) {
        if (shared == null) shared = new boolean[size];
        shared[at] = true;
        shares++;
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
