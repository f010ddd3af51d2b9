import java.lang.invoke.*;

/** Variable handles on fields, statics and array elements, with every access mode family. */
public class Handles {
    volatile int count = 5;
    long total;
    String name = "n";
    static int shared = 1;
    static final VarHandle COUNT, TOTAL, NAME, SHARED;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle STRINGS = MethodHandles.arrayElementVarHandle(String[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(Handles.class, "count", int.class);
            TOTAL = lookup.findVarHandle(Handles.class, "total", long.class);
            NAME = lookup.findVarHandle(Handles.class, "name", String.class);
            SHARED = lookup.findStaticVarHandle(Handles.class, "shared", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        Handles h = new Handles();
        System.out.println((int) COUNT.get(h) + " " + COUNT.compareAndSet(h, 5, 6) + " " + COUNT.compareAndSet(h, 5, 7) + " " + h.count);
        System.out.println((int) COUNT.getAndAdd(h, 10) + " " + (int) COUNT.getVolatile(h) + " " + (int) COUNT.getAndSet(h, 3) + " " + h.count);
        TOTAL.set(h, 1L << 40);
        TOTAL.setVolatile(h, (long) TOTAL.getOpaque(h) + 1);
        TOTAL.setRelease(h, (long) TOTAL.getAcquire(h) + 1);
        System.out.println(h.total + " " + (long) TOTAL.compareAndExchange(h, 0L, 9L) + " " + h.total);
        System.out.println(NAME.compareAndSet(h, "n", "m") + " " + (String) NAME.getAndSet(h, "o") + " " + h.name + " " + (String) NAME.compareAndExchange(h, "zz", "p"));
        SHARED.set(42);
        System.out.println(shared + " " + (int) SHARED.getAndAdd(8) + " " + shared);
        int[] ints = {1, 2, 3};
        INTS.setVolatile(ints, 1, 20);
        System.out.println((int) INTS.getVolatile(ints, 1) + " " + INTS.weakCompareAndSetPlain(ints, 2, 3, 30) + " " + ints[2] + " " + (int) INTS.getAndBitwiseOr(ints, 0, 6) + ints[0]);
        String[] strings = {"a", null};
        System.out.println(STRINGS.compareAndSet(strings, 1, null, "b") + strings[1] + (String) STRINGS.getAcquire(strings, 0));
        try {
            INTS.set(ints, 3, 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("bounds");
        }
        try {
            COUNT.set((Handles) null, 1);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        VarHandle.fullFence();
        System.out.println("done");
    }
}
