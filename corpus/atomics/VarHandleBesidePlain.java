// A field that one thread writes through a handle, in volatile mode, and another reads plainly.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleBesidePlain {
    private int count;
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(VarHandleBesidePlain.class, "count", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    public static void main(String[] args) {
        VarHandleBesidePlain shared = new VarHandleBesidePlain();
        new Thread(() -> {
            COUNT.setVolatile(shared, 3); //~ RACE: with the plain read
        }).start();
        System.out.println(shared.count); //~ RACE: a plain read of what is written by a handle
    }
}
