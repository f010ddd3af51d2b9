// The same VarHandle in plain mode is an ordinary access: it orders nothing and races itself.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandlePlain {
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(VarHandlePlain.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private boolean ready;
    private int data;

    public static void main(String[] args) throws Exception {
        VarHandlePlain box = new VarHandlePlain();
        Thread writer = new Thread(() -> {
            box.data = 5; //~ RACE
            READY.set(box, true); //~ RACE
        });
        writer.start();
        boolean seen = (boolean) READY.get(box); //~ RACE
        if (seen) {
            System.out.print(box.data >= 0 ? "" : "?"); //~ RACE
        }
        writer.join();
    }
}
