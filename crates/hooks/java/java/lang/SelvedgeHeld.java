package java.lang;

import java.lang.ref.Reference;

/** The locks that a thread held at a time: for reports, and for what is told late. It never changes and keeps no object alive. */
final class SelvedgeHeld {
    final Reference<?>[] locks;

    /** How each is held: 0 as a monitor, 1 exclusively, 2 shared. */
    final int[] modes;

    SelvedgeHeld(Reference<?>[] locks, int[] modes) {
        this.locks = locks;
        this.modes = modes;
    }

    /** The objects, null for those that are gone. */
    Object[] objects() {
        Object[] objects = new Object[locks.length];
        for (int i = 0; i < objects.length; i++) objects[i] = locks[i].get();
        return objects;
    }
}
