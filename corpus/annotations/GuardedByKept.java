// Fields declared @GuardedBy("this") and always used so: the promise is kept.
package annotations;

import net.jcip.annotations.GuardedBy;
import net.jcip.annotations.ThreadSafe;

@ThreadSafe
public class GuardedByKept {
    @GuardedBy("this")
    private int visits;

    synchronized void visit() {
        visits++; //~ NORACE: guarded by this, as declared
    }

    synchronized int visits() {
        return visits; //~ NORACE: guarded by this, as declared
    }

    public static void main(String[] args) throws Exception {
        GuardedByKept page = new GuardedByKept();
        Thread other = new Thread(page::visit);
        other.start();
        page.visit();
        other.join();
        System.out.println(page.visits());
    }
}
