// Message passing with a VarHandle: setRelease after the data, getAcquire before reading it.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleReleaseAcquire {
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(VarHandleReleaseAcquire.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private boolean ready;
    private int data;

    public static void main(String[] args) throws Exception {
        VarHandleReleaseAcquire box = new VarHandleReleaseAcquire();
        Thread writer = new Thread(() -> {
            box.data = 5; //~ NORACE: before the release
            READY.setRelease(box, true); //~ NORACE: release mode
        });
        writer.start();
        while (!(boolean) READY.getAcquire(box)) { //~ NORACE: acquire mode
            Thread.onSpinWait();
        }
        System.out.println(box.data); //~ NORACE: after the acquire
        writer.join();
    }
}
