// Opaque mode makes the flag itself atomic, but orders nothing else: the data is still published without order.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleOpaque {
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(VarHandleOpaque.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private boolean ready;
    private int data;

    public static void main(String[] args) throws Exception {
        VarHandleOpaque box = new VarHandleOpaque();
        Thread writer = new Thread(() -> {
            box.data = 5; //~ RACE
            READY.setOpaque(box, true); //~ NORACE: opaque accesses do not race with each other
        });
        writer.start();
        while (!(boolean) READY.getOpaque(box)) { //~ NORACE: opaque
            Thread.onSpinWait();
        }
        System.out.println(box.data); //~ RACE: nothing orders it after the write
        writer.join();
    }
}
