// The semaphore says how many connections may be out, and a lock guards the list of free ones.
package locks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

public class SemaphoreGuardsPoolLocked {
    private final Semaphore available = new Semaphore(2);
    private final Deque<String> free = new ArrayDeque<>();

    SemaphoreGuardsPoolLocked() {
        free.add("first"); //~ NORACE: the constructor
        free.add("second"); //~ NORACE: the constructor
    }

    private String take() {
        synchronized (free) {
            return free.pop(); //~ NORACE: under the list's monitor
        }
    }

    private void giveBack(String connection) {
        synchronized (free) {
            free.push(connection); //~ NORACE: under the list's monitor
        }
    }

    void use() {
        available.acquireUninterruptibly();
        try {
            giveBack(take());
        } finally {
            available.release();
        }
    }

    public static void main(String[] args) throws Exception {
        SemaphoreGuardsPoolLocked pool = new SemaphoreGuardsPoolLocked();
        Thread other = new Thread(pool::use);
        other.start();
        pool.use();
        other.join();
    }
}
