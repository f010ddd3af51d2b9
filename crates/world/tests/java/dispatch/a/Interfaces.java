package a;

/** Default methods in diamonds. */
interface Root {
    String where = "a.Root.where";
    String near = "a.Root.near";
    default void plain() { Trace.t("a.Root.plain"); }
    default void narrowed() { Trace.t("a.Root.narrowed"); }
    default void retracted() { Trace.t("a.Root.retracted"); }
    default void fromClass() { Trace.t("a.Root.fromClass"); }
    default void conflict() { Trace.t("a.Root.conflict"); }
    private void secret() { Trace.t("a.Root.secret"); }
    static void helper() { Trace.t("a.Root.helper"); }
    void wanted();
}

interface Left extends Root {
    String near = "a.Left.near";
    default void narrowed() { Trace.t("a.Left.narrowed"); }
    default void secret() { Trace.t("a.Left.secret"); }
}

interface Right extends Root {
    void retracted();
}

class Named implements Root {
    public void fromClass() { Trace.t("a.Named.fromClass"); }
    public void wanted() { Trace.t("a.Named.wanted"); }
}

class Diamond extends Named implements Left, Right {
    public void retracted() { Trace.t("a.Diamond.retracted"); }
}

class Unnamed {
    /** A class's method goes before a default, even where it knows nothing of the interface. */
    public void plain() { Trace.t("a.Unnamed.plain"); }
}

class Late extends Unnamed implements Left {
    public void wanted() { Trace.t("a.Late.wanted"); }
    public void conflict() { Left.super.conflict(); Trace.t("a.Late.conflict"); }
}

abstract class Partial implements Right {
    public abstract void narrowed();
}

class Whole extends Partial {
    public void narrowed() { Trace.t("a.Whole.narrowed"); }
    public void retracted() { Trace.t("a.Whole.retracted"); }
    public void wanted() { Trace.t("a.Whole.wanted"); }
}

interface Source<T extends Comparable<T>> {
    T get(T previous);
    default T twice(T previous) { return Trace.t("a.Source.twice"); }
}

class Strings implements Source<String> {
    public String get(String previous) { return Trace.t("a.Strings.get"); }
}

class Narrow extends Strings {
    public String twice(String previous) { return Trace.t("a.Narrow.twice"); }
}

class Covariant {
    Object make() { return Trace.t("a.Covariant.make"); }
}

class MoreCovariant extends Covariant {
    public Integer make() { return Trace.t("a.MoreCovariant.make"); }
}

/** Nest mates see each other's private members. */
class Nest {
    private void intimate() { Trace.t("a.Nest.intimate"); }
    static class Inner {
        private void inside() { Trace.t("a.Nest$Inner.inside"); }
    }
    static class Child extends Nest {
        private void intimate() { Trace.t("a.Nest$Child.intimate"); }
    }
}

/** Its class file is older than the second version of Evolved and Rival, which conflict. */
interface Evolved {
    default void added() { Trace.t("a.Evolved.added"); }
}

interface Rival {
}

class Torn implements Evolved, Rival {
}

class Abandoned implements Evolved {
}
