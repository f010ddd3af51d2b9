// getAndSet tells whether the flag was free: who gets false is inside, and gives the flag back.
package atomics;

import java.util.concurrent.atomic.AtomicBoolean;

public class GetAndSetGate {
    private final AtomicBoolean taken = new AtomicBoolean(false);
    private int visits;

    boolean visit() {
        if (taken.getAndSet(true)) {
            return false;
        }
        visits++; //~ NORACE: only one is inside
        taken.set(false);
        return true;
    }

    public static void main(String[] args) throws Exception {
        GetAndSetGate gate = new GetAndSetGate();
        Thread a = new Thread(gate::visit);
        Thread b = new Thread(gate::visit);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(gate.visits > 0); //~ NORACE: after the joins
    }
}
