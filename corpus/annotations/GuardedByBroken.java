// The field is declared @GuardedBy("lock"), and one method does not hold it.
package annotations;

import net.jcip.annotations.GuardedBy;

public class GuardedByBroken {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private int visits;

    void visit() {
        synchronized (lock) {
            visits++; //~ RACE
        }
    }

    int visits() {
        return visits; //~ RACE: the declared lock is not held
    }

    public static void main(String[] args) throws Exception {
        GuardedByBroken page = new GuardedByBroken();
        Thread other = new Thread(page::visit);
        other.start();
        System.out.println(page.visits() >= 0);
        other.join();
    }
}
