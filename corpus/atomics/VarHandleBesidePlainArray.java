// Elements of an array that one thread writes through a handle, and another reads plainly.
package atomics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleBesidePlainArray {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    public static void main(String[] args) {
        int[] cells = new int[4];
        new Thread(() -> {
            ELEMENT.setVolatile(cells, 1, 3); //~ RACE
        }).start();
        System.out.println(cells[1]); //~ RACE
    }
}
