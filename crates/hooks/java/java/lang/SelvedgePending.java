package java.lang;

/** A compare-and-set that is under way: what its thread hands over if it succeeds. */
final class SelvedgePending {
    final SelvedgeVariable variable;
    final SelvedgeKnown known;

    /** One that began before, and was not over then. */
    final SelvedgePending next;

    /** Whether it is decided; set after what it hands over is published. */
    volatile boolean isOver;

    SelvedgePending(SelvedgeVariable variable, SelvedgeKnown known, SelvedgePending next) {
        this.variable = variable;
        this.known = known;
        this.next = next;
    }
}
