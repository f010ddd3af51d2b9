// Instance fields, inherited and hidden ones, static fields, initialisers that run each other.
public class FieldsAndStatics {
    static class Upper {
        Object field = new Object();
        static Object shared = new Upper();
        Object read() { return field; }
    }

    static class Lower extends Upper {
        Object field = new Integer(1);
        static Object own = Upper.shared;
        Object readOwn() { return field; }
        Object readUpper() { return super.field; }
    }

    static class Lazy {
        static final Lazy INSTANCE = new Lazy();
        final Object payload = new Object[1];
    }

    interface Constants {
        Object VALUE = new StringBuilderLike();
    }

    static class StringBuilderLike implements Constants {}

    public static void main(String[] arguments) {
        Lower lower = new Lower();
        Object a = lower.read();
        Object b = lower.readOwn();
        Object c = lower.readUpper();
        lower.field = Lazy.INSTANCE.payload;
        Object d = Lower.own;
        Object e = Constants.VALUE;
        ((Upper) lower).field = e;
        Upper.shared = d;
    }
}
