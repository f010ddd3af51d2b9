package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Accesses that fade: counts how often each was judged, and asks the agent from time to time to rewrite the classes of those that were judged often enough. Why this reports
 * nothing else than without, the agent's file {@code fading.rs} says.
 */
abstract class SelvedgeFading extends SelvedgeOrder {
    /**
     * How often accesses were judged at each site since there are several threads; null as long as none fades. Threads that count at one place are in each other's way, so each counts only
     * every {@link #STRIDE}th judgement, and counts it so often, where accesses fade late.
     */
    static int[] judgements;
    static final int STRIDE = 13;
    private int stride = 1;

    /** How often methods with loops were entered since the agent looked last, up to a bound, by the numbers that the instrumenter gives them; null as long as no access fades. */
    static int[] entries;
    static final int MOST_ENTRIES = 1000;
    private static final int LOOPS = 1 << 16;

    /** After so many judgements an access fades; 0 if none does. */
    static int fadeAfter;

    /** When the agent may be asked next to let accesses fade, how long it rests at least, and whether it is at it. */
    private static long nextFading;
    private static final long FADING_PAUSE = 100_000_000;
    private static boolean isFading;
    private static final Object FADING = new Object();

    /** How often it has found nothing to do since it last had; it rests longer after so many times. */
    private static int idleFadings;
    private static final int SHORT_PAUSES = 8;

    /** There is a second thread: from now on judgements count. */
    static void several() {
        alone = false;
        if (fadeAfter == 0 || judgements != null) return;
        try {
            entries = new int[LOOPS];
            judgements = new int[MAX_SITE + 1];
        } catch (OutOfMemoryError error) {
            // Then none fades.
        }
    }

    /** An access is judged: the first one of an epoch to a location. */
    void judges(int site) {
        if (judgements != null && --stride == 0) count(site);
    }

    @DontInline
    private void count(int site) {
        stride = fadeAfter < 64 * STRIDE ? 1 : STRIDE;
        int[] counts = judgements;
        if (site >= 0 && site < counts.length && (counts[site] += stride) >= fadeAfter) fade(counts);
    }

    /** The agent lets those accesses fade that were judged often enough. Every access that should have faded comes here again and again. */
    @DontInline
    private void fade(int[] counts) {
        long start = System.nanoTime();
        if (inside || start - nextFading < 0) return;
        synchronized (FADING) {
            if (isFading || start - nextFading < 0) return;
            isFading = true;
        }
        boolean fades = false;
        inside = true;
        try {
            fades = Selvedge.fade0(counts, entries, fadeAfter);
        } finally {
            inside = false;
            long end = System.nanoTime();
            idleFadings = fades ? 0 : idleFadings + 1;
            nextFading = end + Math.max(FADING_PAUSE << Math.min(idleFadings / SHORT_PAUSES, 6), 10 * (end - start));
            isFading = false;
        }
    }
}
