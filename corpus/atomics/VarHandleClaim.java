// A VarHandle claims the task for one thread, which sets it up; a later state never goes back to the first one.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleClaim {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(VarHandleClaim.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;
    private int attempts;

    void run() {
        if (STATE.compareAndSet(this, 0, 1)) {
            attempts++; //~ NORACE: only the winner gets here
            state = 2;
        }
    }

    public static void main(String[] args) throws Exception {
        VarHandleClaim task = new VarHandleClaim();
        Thread a = new Thread(task::run);
        Thread b = new Thread(task::run);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(task.attempts); //~ NORACE: after the joins
    }
}
