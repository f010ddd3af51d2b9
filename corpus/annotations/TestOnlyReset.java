// selvedge: library=annotations.TestOnlyReset
// A library class whose unlocked reset is marked @VisibleForTesting: clients in production do not call it.
package annotations;

import com.google.common.annotations.VisibleForTesting;

public class TestOnlyReset {
    private int issued;

    public synchronized int next() {
        return ++issued; //~ RACE spurious: guarded by this; clients are taken to call methods that are only visible
    }

    @VisibleForTesting
    public void reset() {
        issued = 0; //~ RACE spurious: called by single-threaded tests only; clients are taken to call methods that
    }
}
