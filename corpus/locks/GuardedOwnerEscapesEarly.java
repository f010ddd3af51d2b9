// An owner that starts a thread with itself in its constructor, and goes on filling its list without the lock.
package locks;

import java.util.ArrayList;
import java.util.List;

public class GuardedOwnerEscapesEarly {
    static class Ledger {
        private final List<Integer> rows = new ArrayList<>();

        Ledger() {
            new Thread(() -> add(1)).start();
            rows.add(0); //~ RACE
        }

        synchronized void add(int row) {
            rows.add(row); //~ RACE
        }
    }

    public static void main(String[] args) {
        new Ledger();
    }
}
