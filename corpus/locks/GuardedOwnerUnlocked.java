// An owner that locks in one of the two methods that use its list.
package locks;

import java.util.ArrayList;
import java.util.List;

public class GuardedOwnerUnlocked {
    static class Ledger {
        private final List<Integer> rows = new ArrayList<>();

        synchronized void add(int row) {
            rows.add(row); //~ RACE
        }

        int size() {
            return rows.size(); //~ RACE
        }
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        new Thread(() -> ledger.add(1)).start();
        System.out.println(ledger.size());
    }
}
