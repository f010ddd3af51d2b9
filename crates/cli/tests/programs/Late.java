/** Loaded while Mixed runs, unknown to the check: what comes first in an override is the method that it overrides. */
public class Late extends Mixed.Grid {
    public Late() {
        Mixed.late = this;
    }

    @Override
    public void late(int by) {
        super.late(by);
    }
}
