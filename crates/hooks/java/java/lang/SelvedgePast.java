package java.lang;

/** Under which locks a chain of threads has marked something, and when: the last times only. */
final class SelvedgePast {
    /** So many times are remembered, and so many at first. */
    private static final int MOST = 1 << 8;
    private static final int FIRST = 1 << 4;

    private static SelvedgePast[] byChain = new SelvedgePast[64];

    private int[] times = new int[FIRST];
    private SelvedgeHeld[] locks = new SelvedgeHeld[FIRST];
    private int next;

    /** That of a chain, made if there is none. */
    static synchronized SelvedgePast of(int chain) {
        if (chain >= byChain.length) {
            SelvedgePast[] more = new SelvedgePast[2 * chain];
            System.arraycopy(byChain, 0, more, 0, byChain.length);
            byChain = more;
        }
        if (byChain[chain] == null) byChain[chain] = new SelvedgePast();
        return byChain[chain];
    }

    /** Something is marked at this time, under these locks. Only the chain's thread calls this. */
    void note(int time, SelvedgeHeld held) {
        if (next == times.length && next < MOST) {
            int[] moreTimes = new int[4 * next];
            SelvedgeHeld[] moreLocks = new SelvedgeHeld[4 * next];
            System.arraycopy(times, 0, moreTimes, 0, next);
            System.arraycopy(locks, 0, moreLocks, 0, next);
            locks = moreLocks;
            times = moreTimes;
        }
        int slot = next++ & times.length - 1;
        // Whoever looks meanwhile does not take the one for the other.
        times[slot] = 0;
        locks[slot] = held;
        times[slot] = time;
    }

    /** The locks under which a chain marked something at this time; null if there were none, or it is not known any more. */
    static SelvedgeHeld at(int chain, int time) {
        SelvedgePast[] all = byChain;
        SelvedgePast past = chain < all.length ? all[chain] : null;
        if (past == null) return null;
        int[] times = past.times;
        SelvedgeHeld[] locks = past.locks;
        for (int i = 0; i < times.length; i++) {
            if (times[i] == time && i < locks.length) return locks[i];
        }
        return null;
    }
}
