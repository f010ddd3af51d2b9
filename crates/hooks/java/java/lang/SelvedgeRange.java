package java.lang;

/**
 * An access of one chain of threads to many elements of an array: from the first to the last, a step apart. The word, which
 * says when and where, is that of the last such access. Only the chain's thread writes it, and lets the access reach further, which it does in one epoch only: so
 * whoever sees the new end with the old word sees an access of the same epoch.
 */
final class SelvedgeRange {
    static final SelvedgeRange NONE = new SelvedgeRange(1, 0, 1, -1, false);

    final int first;
    int last;
    final int step;
    final int chain;
    final boolean writes;
    long word;

    /** Whether a later access has made it needless: nobody finds it any more. */
    boolean isGone;

    /** What the thread accessed after this when it last did: likely it will do so again. */
    SelvedgeRange next;

    /** For detection by locks: with which locks (a hash) all elements that others share were told, and how many shares there were. */
    int told;
    int shares;

    SelvedgeRange(int first, int last, int step, int chain, boolean writes) {
        this.first = first;
        this.last = last;
        this.step = step;
        this.chain = chain;
        this.writes = writes;
    }

    boolean has(int index) {
        return index >= first && index <= last && isStep(index - first, step);
    }

    boolean is(int first, int last, int step, boolean writes) {
        return this.first == first && this.last == last && this.step == step && this.writes == writes && !isGone;
    }

    /** Whether the access was in this epoch and to all elements from the one to the other. */
    boolean isFull(long epoch, int from, int to) {
        return word >>> SelvedgeOrder.EPOCH == epoch && from >= first && to <= last && step == 1;
    }

    /** Whether all of these elements are among those of this access. */
    boolean covers(int first, int last, int step) {
        return first >= this.first && last <= this.last && isStep(first - this.first, this.step) && isStep(step, this.step);
    }

    /** Whether another access says nothing more than this later one: it is the same chain's, to some of these elements. */
    boolean says(SelvedgeRange earlier) {
        return earlier.chain == chain && (writes || !earlier.writes) && covers(earlier.first, earlier.last, earlier.step);
    }

    /** Whether one of these elements is among those of this access. */
    boolean meets(int first, int last, int step) {
        int low = Math.max(first, this.first);
        int high = Math.min(last, this.last);
        if (low > high) return false;
        // One of the two steps through the elements of the other; after as many steps as the other's step is wide all repeats.
        int from = low + Math.floorMod(first - low, step);
        for (int i = 0; i < this.step && from <= high; i++, from += step) {
            if (isStep(from - this.first, this.step)) return true;
        }
        return false;
    }

    private static boolean isStep(int distance, int step) {
        return (step & step - 1) == 0 ? (distance & step - 1) == 0 : distance % step == 0;
    }
}
