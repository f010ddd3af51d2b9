// A helper makes the handles, and is given the names: each may be of any field of the class that fits.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleByHelper {
    static class Box {
        int value;
    }

    Box box;
    int count;

    static final VarHandle BOX = handle("box", Box.class);
    static final VarHandle COUNT = handle("count", int.class);

    static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(VarHandleByHelper.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    void give() {
        Box made = new Box();
        BOX.setVolatile(this, made);
        made.value++; //~ RACE
    }

    void use() {
        Box seen = (Box) BOX.getVolatile(this);
        if (seen != null) {
            seen.value++; //~ RACE
        }
        COUNT.getAndAdd(this, 1);
    }

    public static void main(String[] args) throws InterruptedException {
        VarHandleByHelper shared = new VarHandleByHelper();
        Thread giver = new Thread(shared::give);
        Thread user = new Thread(shared::use);
        giver.start();
        user.start();
        giver.join();
        user.join();
    }
}
