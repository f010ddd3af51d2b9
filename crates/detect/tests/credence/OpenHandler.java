package credence;

/** What everybody can name and call. */
public class OpenHandler implements Door {
    private int credibleState;

    @Override
    public void knock() {
        credibleState++;
    }

    @Override
    public boolean isWorn() {
        return credibleState > 3;
    }
}
