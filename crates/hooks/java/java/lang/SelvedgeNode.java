package java.lang;

/** A link of {@link SelvedgeTable}. It never changes, so that readers need no lock. */
final class SelvedgeNode {
    final SelvedgeKey key;
    final SelvedgeNode next;

    SelvedgeNode(SelvedgeKey key, SelvedgeNode next) {
        this.key = key;
        this.next = next;
    }
}
