import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/** Direct method handles: exact and adapting calls of virtual, interface and static methods and constructors. */
public class DirectHandles {
    final int base;

    DirectHandles(int base) { this.base = base; }

    int add(int x) { return base + x; }

    long wide(long x) { return base * x; }

    void print(String s) { System.out.println("printed " + s + base); }

    static String join(Object a, int b) { return a + ":" + b; }

    static int fail() { throw new UnsupportedOperationException("as planned"); }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        DirectHandles object = new DirectHandles(10);
        MethodHandle add = lookup.findVirtual(DirectHandles.class, "add", MethodType.methodType(int.class, int.class));
        System.out.println((int) add.invokeExact(object, 4) + " " + (Object) add.invoke(object, (short) 5) + " " + (long) add.invoke((Object) object, 6));
        MethodHandle wide = lookup.findVirtual(DirectHandles.class, "wide", MethodType.methodType(long.class, long.class));
        System.out.println((long) wide.invokeExact(object, 1L << 40) + " " + (double) wide.invoke(object, 3));
        MethodHandle join = lookup.findStatic(DirectHandles.class, "join", MethodType.methodType(String.class, Object.class, int.class));
        System.out.println((String) join.invokeExact((Object) "a", 1) + " " + join.invoke(2, Integer.valueOf(3)));
        MethodHandle create = lookup.findConstructor(DirectHandles.class, MethodType.methodType(void.class, int.class));
        System.out.println(((DirectHandles) create.invokeExact(77)).base);
        MethodHandle size = lookup.findVirtual(List.class, "size", MethodType.methodType(int.class));
        System.out.println((int) size.invoke(List.of(1, 2, 3)));
        MethodHandle print = lookup.findVirtual(DirectHandles.class, "print", MethodType.methodType(void.class, String.class));
        print.invokeExact(object, "text");
        try {
            int never = (int) lookup.findStatic(DirectHandles.class, "fail", MethodType.methodType(int.class)).invokeExact();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            lookup.findStatic(DirectHandles.class, "missing", MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println("no such method");
        }
        MethodType type = MethodType.methodType(String.class, int.class, long[].class);
        System.out.println(type + " " + type.toMethodDescriptorString() + " " + (type == MethodType.fromMethodDescriptorString("(I[J)Ljava/lang/String;", null)));
    }
}
