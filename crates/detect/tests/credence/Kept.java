package credence.kept.impl;

import credence.Door;

/** What the library hands out itself, under the name of the interface. */
public class Kept implements Door {
    private int doubtedKept;

    @Override
    public synchronized void knock() {
        doubtedKept++;
    }

    @Override
    public boolean isWorn() {
        return doubtedKept > 3;
    }
}
