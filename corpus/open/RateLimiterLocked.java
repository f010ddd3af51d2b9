// selvedge: library=open.RateLimiterLocked
// The token bucket with one lock for refill and take.
package open;

import java.util.concurrent.locks.ReentrantLock;

public class RateLimiterLocked {
    private final ReentrantLock lock = new ReentrantLock();
    private double tokens = 10;
    private long last;

    public boolean tryAcquire(long now) {
        lock.lock();
        try {
            refill(now);
            if (tokens < 1) { //~ NORACE: guarded by lock
                return false;
            }
            tokens -= 1; //~ NORACE: guarded by lock
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void refill(long now) {
        tokens = Math.min(10, tokens + (now - last) * 0.1); //~ NORACE: the only caller holds lock
        last = now; //~ NORACE: the only caller holds lock
    }
}
