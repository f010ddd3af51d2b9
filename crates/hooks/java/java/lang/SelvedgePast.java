package java.lang;

import jdk.internal.misc.Unsafe;

/** Under which locks a chain of threads has marked something, and when: the last times only. */
final class SelvedgePast {
    /** So many times are remembered, and so many at first. */
    private static final int MOST = 1 << 8;
    private static final int FIRST = 1 << 4;

    private static volatile SelvedgePast[] byChain = new SelvedgePast[64];

    static Unsafe unsafe;

    private int[] times = new int[FIRST];
    private SelvedgeHeld[] locks = new SelvedgeHeld[FIRST];
    private int next;

    /** That of a chain, made if there is none. */
    static synchronized SelvedgePast of(int chain) {
        SelvedgePast[] all = byChain;
        if (chain >= all.length) {
            SelvedgePast[] more = new SelvedgePast[2 * chain];
            System.arraycopy(all, 0, more, 0, all.length);
            all = more;
        }
        if (all[chain] == null) all[chain] = new SelvedgePast();
        byChain = all;
        return all[chain];
    }

    /** Something is marked at this time, under these locks. Only the chain's thread calls this. */
    void note(int time, SelvedgeHeld held) {
        if (next == times.length && next < MOST) {
            int[] moreTimes = new int[4 * next];
            SelvedgeHeld[] moreLocks = new SelvedgeHeld[4 * next];
            System.arraycopy(times, 0, moreTimes, 0, next);
            System.arraycopy(locks, 0, moreLocks, 0, next);
            // Who has the new times has the new locks.
            unsafe.storeFence();
            locks = moreLocks;
            unsafe.storeFence();
            times = moreTimes;
        }
        int slot = next++ & times.length - 1;
        // Whoever looks meanwhile does not take the one for the other: invariant 5.
        unsafe.storeFence();
        times[slot] = 0;
        unsafe.storeFence();
        locks[slot] = held;
        unsafe.storeFence();
        times[slot] = time;
    }

    /** The locks under which a chain marked something at this time; null if there were none, or it is not known any more. */
    static SelvedgeHeld at(int chain, int time) {
        SelvedgePast[] all = byChain;
        SelvedgePast past = chain < all.length ? all[chain] : null;
        if (past == null) return null;
        int[] times = past.times;
        unsafe.loadFence();
        SelvedgeHeld[] locks = past.locks;
        for (int i = 0; i < times.length; i++) {
            if (times[i] != time || i >= locks.length) continue;
            unsafe.loadFence();
            SelvedgeHeld held = locks[i];
            unsafe.loadFence();
            // If there are longer arrays meanwhile, nobody writes into this one any more.
            return times[i] == time ? held : null;
        }
        return null;
    }
}
