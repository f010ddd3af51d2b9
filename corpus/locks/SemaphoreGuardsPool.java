// The semaphore says how many connections may be out, not who may touch the list of free ones.
package locks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

public class SemaphoreGuardsPool {
    private final Semaphore available = new Semaphore(2);
    private final Deque<String> free = new ArrayDeque<>();

    SemaphoreGuardsPool() {
        free.add("first"); //~ NORACE: the constructor
        free.add("second"); //~ NORACE: the constructor
    }

    void use() {
        available.acquireUninterruptibly();
        try {
            String connection = free.pop(); //~ RACE
            free.push(connection); //~ RACE
        } finally {
            available.release();
        }
    }

    public static void main(String[] args) throws Exception {
        SemaphoreGuardsPool pool = new SemaphoreGuardsPool();
        Thread other = new Thread(pool::use);
        other.start();
        pool.use();
        other.join();
    }
}
