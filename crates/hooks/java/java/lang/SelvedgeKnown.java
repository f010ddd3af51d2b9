package java.lang;

/** What a thread, or several, knew when they handed something over: how much of each chain had come before. It never changes. */
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

    /** Whether this is at least what the other says. Who knows a chain up to a time knows all that it handed over up to then. */
    boolean covers(SelvedgeKnown other) {
        if (other == this) return true;
        if (other.chain >= 0) return of(other.chain) >= other.time;
        for (int i = 0; i < other.clock.length; i++) {
            if (other.clock[i] > of(i)) return false;
        }
        return true;
    }

    private int of(int other) {
        int known = other < clock.length ? clock[other] : 0;
        return other == chain && time > known ? time : known;
    }

    private int length() {
        return Math.max(clock.length, chain + 1);
    }

    private void addTo(int[] joined) {
        for (int i = 0; i < clock.length; i++) joined[i] = Math.max(joined[i], clock[i]);
        if (chain >= 0) joined[chain] = Math.max(joined[chain], time);
    }
}
