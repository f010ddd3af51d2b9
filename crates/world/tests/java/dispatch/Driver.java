import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Asks the JVM, for the classes named as arguments, what every name resolves to and which method every call selects.
 *
 * Every method of those classes calls Trace.t with its own name and returns null; every field holds its own name.
 */
public class Driver {
    record Selector(String name, MethodType type) implements Comparable<Selector> {
        public int compareTo(Selector other) { return toString().compareTo(other.toString()); }
        public String toString() { return name + type.toMethodDescriptorString(); }
    }

    public static void main(String[] args) throws Throwable {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : args) classes.add(Class.forName(name));
        TreeSet<Selector> selectors = new TreeSet<>();
        TreeSet<String> fields = new TreeSet<>();
        for (Class<?> c : classes) {
            for (Method m : c.getDeclaredMethods()) {
                selectors.add(new Selector(m.getName(), MethodType.methodType(m.getReturnType(), m.getParameterTypes())));
            }
            for (Field f : c.getDeclaredFields()) if (!f.isSynthetic()) fields.add(f.getName());
        }
        for (Class<?> named : classes) for (Selector s : selectors) virtuals(classes, named, s);
        for (Class<?> caller : classes) for (Selector s : selectors) specials(caller, s);
        for (Class<?> user : classes) for (Class<?> named : classes) for (Selector s : selectors) access(user, named, s);
        for (Class<?> named : classes) for (String f : fields) field(named, f);
    }

    static void virtuals(List<Class<?>> classes, Class<?> named, Selector s) throws Throwable {
        MethodHandle handle;
        try {
            handle = in(named).findVirtual(named, s.name, s.type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return;
        }
        for (Class<?> receiver : classes) {
            if (named.isAssignableFrom(receiver) && !Modifier.isAbstract(receiver.getModifiers())) {
                System.out.println("virtual " + named.getName() + " " + s + " on " + receiver.getName() + ": " + run(handle, receiver));
            }
        }
    }

    static void specials(Class<?> caller, Selector s) throws Throwable {
        if (caller.isInterface() || Modifier.isAbstract(caller.getModifiers())) return;
        List<Class<?>> above = new ArrayList<>(List.of(caller.getInterfaces()));
        for (Class<?> c = caller.getSuperclass(); c != null && c != Object.class; c = c.getSuperclass()) above.add(c);
        for (Class<?> named : above) {
            String result;
            try {
                result = run(in(caller).findSpecial(named, s.name, s.type, caller), caller);
            } catch (NoSuchMethodException | IllegalAccessException e) {
                continue;
            }
            // Of what would only throw, some handles are made and some not.
            if (!result.equals("error")) System.out.println("special " + named.getName() + " " + s + " in " + caller.getName() + ": " + result);
        }
    }

    /** Which uses the JVM refuses for want of access. Whether they are uses on an object is for the others to see. */
    static void access(Class<?> user, Class<?> named, Selector s) throws Throwable {
        String result;
        try {
            in(user).findVirtual(named, s.name, s.type);
            result = "allowed";
        } catch (NoSuchMethodException e) {
            return;
        } catch (IllegalAccessException e) {
            result = "refused";
        }
        System.out.println("access " + named.getName() + " " + s + " in " + user.getName() + ": " + result);
    }

    static void field(Class<?> named, String name) throws Throwable {
        Object value;
        try {
            value = in(named).findStaticGetter(named, name, String.class).invoke();
        } catch (NoSuchFieldException | IllegalAccessException e) {
            return;
        }
        System.out.println("field " + named.getName() + " " + name + ": " + value);
    }

    static MethodHandles.Lookup in(Class<?> c) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(c, MethodHandles.lookup());
    }

    static String run(MethodHandle handle, Class<?> receiver) throws Throwable {
        var constructor = receiver.getDeclaredConstructor();
        constructor.setAccessible(true);
        List<Object> arguments = new ArrayList<>();
        arguments.add(constructor.newInstance());
        for (int i = 1; i < handle.type().parameterCount(); i++) arguments.add(null);
        a.Trace.last = "nothing";
        try {
            handle.invokeWithArguments(arguments);
        } catch (IncompatibleClassChangeError e) {
            return "error";
        }
        return a.Trace.last;
    }
}
