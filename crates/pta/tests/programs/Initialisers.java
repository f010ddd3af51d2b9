// Class initialisers at all their triggers: statics, instances, subclasses, defaults of interfaces.
public class Initialisers {
    static Object log;

    static class ByField { static Object value; static { value = new Object[1]; log = value; } }
    static class ByCall { static { log = new ByCall(); } static Object call() { return log; } }
    static class ByInstance { static { log = new Integer(1); } }
    static class Super { static { log = new Super(); } }
    static class BySubclass extends Super {}
    interface WithDefault { Object INIT = log = new Object(); default void nothing() {} }
    static class ByDefault implements WithDefault {}
    static class Circular { static Object seen = Partner.seen; static Object own = new Circular(); }
    static class Partner { static Object seen = Circular.own; }
    static class Never { static { log = new Never(); } }

    public static void main(String[] arguments) {
        Object field = ByField.value;
        Object call = ByCall.call();
        new ByInstance();
        new BySubclass();
        new ByDefault().nothing();
        Object circular = Circular.own;
        Object end = log;
    }
}
