package java.lang;

/** What a thread has seen last, to find it without a search. The thread holds it weakly: it keeps no object of the program alive, and goes when memory is collected. */
final class SelvedgeCaches {
    /** Arrays and library objects that the thread has made last, in this epoch: they are its own. */
    final Object[] fresh = new Object[SelvedgeThread.FRESH];
    final SelvedgeView[] freshViews = new SelvedgeView[SelvedgeThread.FRESH];

    /** Arrays seen last, by site. */
    final SelvedgeView[] recent = new SelvedgeView[SelvedgeThread.RECENT];

    /** Arrays seen lately, by identity. */
    SelvedgeView[] views = new SelvedgeView[1 << 4];
    int viewMisses;

    /** Objects called last, by site: the site, and the epoch in which the call there said all that it can say. */
    final Object[] called = new Object[SelvedgeFields.CALLED];
    final int[] calledAt = new int[SelvedgeFields.CALLED];
    final long[] calledWhen = new long[SelvedgeFields.CALLED];

    SelvedgeCaches() {
        for (int i = 0; i < recent.length; i++) recent[i] = SelvedgeThread.NONE;
    }
}
