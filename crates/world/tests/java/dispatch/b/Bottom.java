package b;

import a.Trace;

public class Bottom extends a.Lower {
    public void own() { Trace.t("b.Bottom.own"); }
    public void chained() { Trace.t("b.Bottom.chained"); }
    protected void guarded() { Trace.t("b.Bottom.guarded"); }
}
