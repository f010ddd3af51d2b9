// get and then set on an atomic is not atomic: two tickets may be the last one. No data race, though.
package atomics;

import java.util.concurrent.atomic.AtomicInteger;

public class AtomicCheckThenAct {
    private final AtomicInteger tickets = new AtomicInteger(1);

    boolean buy() {
        int left = tickets.get(); //~ NORACE: atomic, though the two steps together are not
        if (left > 0) {
            tickets.set(left - 1); //~ NORACE: atomic, though the two steps together are not
            return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        AtomicCheckThenAct booth = new AtomicCheckThenAct();
        Thread other = new Thread(booth::buy);
        other.start();
        booth.buy();
        other.join();
        System.out.println(booth.tickets.get());
    }
}
