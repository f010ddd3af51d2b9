// Reflection on constant names.
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

public class Reflecting {
    public static class Target {
        public Object field;
        public Target() { field = new Object(); }
        public Target(Object given) { field = given; }
        public Object method(Object argument) { return argument; }
        public static Object fixed() { return new Integer(7); }
    }

    static Object sink;

    @SuppressWarnings("deprecation")
    public static void main(String[] arguments) throws Exception {
        Class<?> type = Class.forName("Reflecting$Target");
        Target plain = (Target) type.newInstance();
        sink = plain.field;
        Constructor<Target> constructor = Target.class.getConstructor(Object.class);
        Target given = constructor.newInstance(new Object[] { plain });
        Method method = Target.class.getMethod("method", Object.class);
        sink = method.invoke(given, arguments);
        Method fixed = type.getMethod("fixed");
        sink = fixed.invoke(null);
        Field field = Target.class.getField("field");
        field.set(plain, given);
        sink = field.get(given);
    }
}
