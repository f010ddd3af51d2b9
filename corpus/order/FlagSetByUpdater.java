// A flag that is also set through a handle of the field.
package order;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class FlagSetByUpdater {
    static volatile boolean done;
    private static int rows;
    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findStaticVarHandle(FlagSetByUpdater.class, "done", boolean.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done = true;
        });
        Thread other = new Thread(() -> DONE.setVolatile(true));
        worker.start();
        other.start();
        while (!done) {
            Thread.onSpinWait();
        }
        System.out.println(rows); //~ RACE: the flag may be set by the other
    }
}
