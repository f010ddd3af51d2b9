// A field updater hands objects to another thread, and the giver goes on with them.
package atomics;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class HandedOnByUpdater {
    static class Box {
        int value;
    }

    volatile Box next;
    volatile Box offered;

    static final AtomicReferenceFieldUpdater<HandedOnByUpdater, Box> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(HandedOnByUpdater.class, Box.class, "next");
    static final AtomicReferenceFieldUpdater<HandedOnByUpdater, Box> OFFERED =
            AtomicReferenceFieldUpdater.newUpdater(HandedOnByUpdater.class, Box.class, "offered");

    public static void main(String[] args) {
        HandedOnByUpdater shared = new HandedOnByUpdater();
        new Thread(() -> {
            Box box = NEXT.get(shared);
            if (box != null) {
                box.value++; //~ RACE
            }
            Box taken = OFFERED.getAndSet(shared, null);
            if (taken != null) {
                taken.value++; //~ RACE
            }
        }).start();
        Box box = new Box();
        NEXT.set(shared, box);
        box.value = 3; //~ RACE
        Box offer = new Box();
        if (OFFERED.compareAndSet(shared, null, offer)) {
            offer.value = 4; //~ RACE
        }
    }
}
