// Method handles and variable handles: lookups, binding, combination, spreading, loops, access modes, constants.

import java.lang.invoke.*;
import java.util.*;

public class Handles {
    private volatile int counter;
    private static String shared = "s";
    private int[] cells = new int[4];

    static int add(int a, int b) { return a + b; }
    String describe(String text) { return text + counter; }
    private String secret() { return "secret"; }
    Handles() { }
    Handles(int start) { counter = start; }
    static boolean isShort(String text) { return text.length() < 3; }
    static String grow(String text) { return text + "+"; }
    static String recover(Throwable thrown, String text) { return "recovered " + text; }
    static String fail(String text) { throw new IllegalStateException(text); }

    public interface Adder {
        int combine(int a, int b);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(Handles.class, "add", MethodType.methodType(int.class, int.class, int.class));
        System.out.println((int) add.invokeExact(2, 3) + " " + (Integer) add.invoke((Object) 4, (short) 5) + " " + add.invokeWithArguments(List.of(6, 7)));
        MethodHandle addFive = MethodHandles.insertArguments(add, 0, 5);
        MethodHandle constructor = lookup.findConstructor(Handles.class, MethodType.methodType(void.class, int.class));
        Handles handles = (Handles) constructor.invokeExact(9);
        MethodHandle describe = lookup.findVirtual(Handles.class, "describe", MethodType.methodType(String.class, String.class)).bindTo(handles);
        System.out.println((int) addFive.invokeExact(1) + (String) describe.invokeExact("d"));
        MethodHandle secret = lookup.findSpecial(Handles.class, "secret", MethodType.methodType(String.class), Handles.class);
        System.out.println((String) secret.invokeExact(handles));

        MethodType toText = MethodType.methodType(String.class, String.class);
        MethodHandle grow = lookup.findStatic(Handles.class, "grow", toText);
        MethodHandle test = lookup.findStatic(Handles.class, "isShort", MethodType.methodType(boolean.class, String.class));
        MethodHandle choice = MethodHandles.guardWithTest(test, grow, MethodHandles.identity(String.class));
        System.out.println((String) choice.invokeExact("a") + (String) choice.invokeExact("abcd"));
        MethodHandle looped = MethodHandles.whileLoop(null, test.asType(MethodType.methodType(boolean.class, String.class)), grow);
        MethodHandle caught = MethodHandles.catchException(lookup.findStatic(Handles.class, "fail", toText), Throwable.class,
            lookup.findStatic(Handles.class, "recover", MethodType.methodType(String.class, Throwable.class, String.class)));
        System.out.println((String) caught.invokeExact("c"));
        MethodHandle spread = add.asSpreader(Object[].class, 2);
        System.out.println((int) spread.invoke(new Object[] {1, 2}));
        MethodHandle filtered = MethodHandles.filterReturnValue(grow, lookup.findVirtual(String.class, "length", MethodType.methodType(int.class)));
        System.out.println((int) filtered.invokeExact("xyz"));
        Adder adder = MethodHandleProxies.asInterfaceInstance(Adder.class, add);
        System.out.println(adder.combine(20, 22));

        VarHandle counter = lookup.findVarHandle(Handles.class, "counter", int.class);
        VarHandle sharedHandle = lookup.findStaticVarHandle(Handles.class, "shared", String.class);
        VarHandle cell = MethodHandles.arrayElementVarHandle(int[].class);
        System.out.println(counter.compareAndSet(handles, 9, 10) + " " + (int) counter.getAndAdd(handles, 5) + " " + (int) counter.getVolatile(handles));
        sharedHandle.setRelease("t");
        cell.set(handles.cells, 2, 8);
        System.out.println((String) sharedHandle.getAcquire() + (int) cell.getAndBitwiseOr(handles.cells, 2, 1) + handles.cells[2]);
        MethodHandle reflected = lookup.unreflect(Handles.class.getDeclaredMethod("describe", String.class));
        System.out.println((String) reflected.invoke(handles, "r"));
        CallSite site = new MutableCallSite(grow);
        System.out.println((String) site.dynamicInvoker().invokeExact("m"));
        if (looped == null) throw new AssertionError();
    }
}
