// As HandedOnByUpdater, but each box is filled before it is handed on, and its giver leaves it alone from then on.
package atomics;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class HandedOnByUpdaterFilled {
    static class Box {
        int value;
    }

    volatile Box next;

    static final AtomicReferenceFieldUpdater<HandedOnByUpdaterFilled, Box> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(HandedOnByUpdaterFilled.class, Box.class, "next");

    public static void main(String[] args) {
        HandedOnByUpdaterFilled shared = new HandedOnByUpdaterFilled();
        new Thread(() -> {
            Box box = NEXT.get(shared);
            if (box != null) {
                box.value++; //~ NORACE: the volatile write orders
            }
        }).start();
        Box box = new Box();
        box.value = 3; //~ NORACE: nobody knows the box yet
        NEXT.set(shared, box);
    }
}
