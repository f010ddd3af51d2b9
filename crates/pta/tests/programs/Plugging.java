// Reflection on classes that are not known: the casts of a new object bound it, and receiver and name bound a call.
import java.lang.reflect.Method;

public class Plugging {
    public interface Plug {}
    public static class FirstMade {}
    public static class SecondMade {}

    public static class First implements Plug {
        public First() {}
        public Object make() { return new FirstMade(); }
        public Object other() { return new Plugging(); }
    }

    public static class Second implements Plug {
        public Second() {}
        public Object make() { return new SecondMade(); }
    }

    /** Is cast to something else. */
    public static class Unplugged {
        public Unplugged() { made = this; }
    }

    static Object made;
    static Object called;

    @SuppressWarnings("deprecation")
    public static void main(String[] arguments) throws Exception {
        Plug plug = (Plug) Class.forName(arguments[0]).newInstance();
        made = plug;
        Method make = plug.getClass().getMethod("make");
        called = make.invoke(plug);
    }
}
