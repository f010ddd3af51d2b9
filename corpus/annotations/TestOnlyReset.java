// selvedge: library=annotations.TestOnlyReset
// A library class whose unlocked reset is marked @VisibleForTesting: clients in production do not call it.
package annotations;

import com.google.common.annotations.VisibleForTesting;

public class TestOnlyReset {
    private int issued;

    public synchronized int next() {
        return ++issued; //~ NORACE: guarded by this
    }

    @VisibleForTesting
    public void reset() {
        issued = 0; //~ NORACE: called by single-threaded tests only
    }
}
