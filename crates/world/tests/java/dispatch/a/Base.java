package a;

public class Base extends Packages {
    void own() { Trace.t("a.Base.own"); }
    void chained() { Trace.t("a.Base.chained"); }
    private void late() { Trace.t("a.Base.late"); }
    public static String constant = "a.Base.constant";
    static String narrow = "a.Base.narrow";
}
