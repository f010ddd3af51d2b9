package b;

import a.Trace;

/** Of another package: its own() overrides nothing, its opened() neither. */
public class Middle extends a.Base {
    void own() { Trace.t("b.Middle.own"); }
    public void opened() { Trace.t("b.Middle.opened"); }
    protected void guarded() { Trace.t("b.Middle.guarded"); }
    public void hidden() { Trace.t("b.Middle.hidden"); }
    void chained() { Trace.t("b.Middle.chained"); }
    public void late() { Trace.t("b.Middle.late"); }
}
