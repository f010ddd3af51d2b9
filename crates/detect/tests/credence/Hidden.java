package credence.internal;

/** Not the interface of the library, by the name of its package. */
public class Hidden {
    private static Hidden doubtedHidden;

    public static Hidden shared() {
        if (doubtedHidden == null) {
            doubtedHidden = new Hidden();
        }
        return doubtedHidden;
    }
}
