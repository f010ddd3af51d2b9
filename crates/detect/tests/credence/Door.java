package credence;

/** An interface with one implementation that the library makes, and one that is left to callers. */
public interface Door {
    void knock();

    boolean isWorn();

    static Door make() {
        return new credence.kept.impl.Kept();
    }
}
