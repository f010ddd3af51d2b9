// An owner that locks whenever it uses its list, and hands the list out.
package locks;

import java.util.ArrayList;
import java.util.List;

public class GuardedOwnerLeaks {
    static class Ledger {
        private final List<Integer> rows = new ArrayList<>();

        synchronized void add(int row) {
            rows.add(row); //~ RACE
        }

        synchronized List<Integer> rows() {
            return rows;
        }
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        new Thread(() -> ledger.add(1)).start();
        ledger.rows().clear(); //~ RACE
    }
}
