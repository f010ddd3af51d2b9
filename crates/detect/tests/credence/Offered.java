package credence.impl;

import credence.Door;

/** What callers have to name to use the interface: nothing else in the library does. */
public class Offered implements Door {
    private int credibleOffered;

    @Override
    public synchronized void knock() {
        credibleOffered++;
    }

    @Override
    public boolean isWorn() {
        return credibleOffered > 3;
    }
}
