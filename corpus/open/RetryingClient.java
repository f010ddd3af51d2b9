// selvedge: library=open.RetryingClient
// A client with a circuit breaker: state in volatile and atomic fields, a plain time stamp that is read unlocked.
package open;

import java.util.concurrent.atomic.AtomicInteger;

public class RetryingClient {
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean open;
    private long openedAt;

    public boolean mayCall() {
        if (!open) {
            return true;
        }
        return System.currentTimeMillis() - openedAt > 1000; //~ RACE
    }

    public void failed() {
        if (failures.incrementAndGet() > 5) {
            open = true;
            openedAt = System.currentTimeMillis(); //~ RACE
        }
    }

    public void succeeded() {
        failures.set(0);
        open = false;
    }
}
