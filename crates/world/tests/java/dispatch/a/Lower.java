package a;

/** Back in the first package: overrides what it sees there, and what b.Middle made public. */
public class Lower extends b.Middle {
    protected void own() { Trace.t("a.Lower.own"); }
    public void opened() { Trace.t("a.Lower.opened"); }
    public void chained() { Trace.t("a.Lower.chained"); }
    public void everyone() { Trace.t("a.Lower.everyone"); }
    static String narrow = "a.Lower.narrow";
}
