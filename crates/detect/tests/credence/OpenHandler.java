package credence;

/** What everybody can name and call. */
public class OpenHandler implements Door {
    private int doubtedOpenState;

    @Override
    public void knock() {
        doubtedOpenState++;
    }

    @Override
    public boolean isWorn() {
        return doubtedOpenState > 3;
    }
}
