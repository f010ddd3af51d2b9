package a;

/** Package-private methods, overridden inside the package and not overridden outside of it. */
public class Packages {
    void own() { Trace.t("a.Packages.own"); }
    void opened() { Trace.t("a.Packages.opened"); }
    protected void guarded() { Trace.t("a.Packages.guarded"); }
    public void everyone() { Trace.t("a.Packages.everyone"); }
    private void hidden() { Trace.t("a.Packages.hidden"); }
    static void shared() { Trace.t("a.Packages.shared"); }
}
