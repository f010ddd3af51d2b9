// The twin of VarHandleBesidePlain: both sides use the handle in volatile mode.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleOnly {
    private int count;
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(VarHandleOnly.class, "count", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    public static void main(String[] args) {
        VarHandleOnly shared = new VarHandleOnly();
        new Thread(() -> {
            COUNT.setVolatile(shared, 3); //~ NORACE: volatile
        }).start();
        int seen = (int) COUNT.getVolatile(shared); //~ NORACE: volatile
        System.out.println(seen <= 3);
    }
}
