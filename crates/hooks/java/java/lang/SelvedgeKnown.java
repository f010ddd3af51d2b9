package java.lang;

/** What a thread, or several, knew when they handed something over: how much of each low chain had come before. It never changes. */
final class SelvedgeKnown {
    /** The chain of the thread that handed it over; -1 if several have. */
    final int chain;

    /** The time up to which what that chain did came before. */
    final int time;

    /** How much of the others came before; chains beyond the end were not known. */
    final int[] clock;

    SelvedgeKnown(int chain, int time, int[] clock) {
        this.chain = chain;
        this.time = time;
        this.clock = clock;
    }

    /** What either knew. */
    static SelvedgeKnown both(SelvedgeKnown one, SelvedgeKnown other) {
        int length = Math.max(one.length(), other.length());
        int[] joined = new int[length];
        one.addTo(joined);
        other.addTo(joined);
        return new SelvedgeKnown(-1, 0, joined);
    }

    private int length() {
        return Math.max(clock.length, chain + 1);
    }

    private void addTo(int[] joined) {
        for (int i = 0; i < clock.length; i++) joined[i] = Math.max(joined[i], clock[i]);
        if (chain >= 0) joined[chain] = Math.max(joined[chain], time);
    }
}
