// selvedge: library=open.RateLimiter
// A token bucket whose refill is called from the unlocked fast path as well as under the lock.
package open;

public class RateLimiter {
    private double tokens = 10;
    private long last;

    public boolean tryAcquire(long now) {
        refill(now);
        return take();
    }

    public synchronized void acquire(long now) {
        refill(now);
        take();
    }

    private void refill(long now) {
        tokens = Math.min(10, tokens + (now - last) * 0.1); //~ RACE
        last = now; //~ RACE: a 64-bit value may be torn
    }

    private synchronized boolean take() {
        if (tokens < 1) { //~ RACE
            return false;
        }
        tokens -= 1; //~ RACE
        return true;
    }
}
