// A pool of one thread whose policy lets the caller run what it rejects: then two threads run tasks at the same time.
package threads;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class RejectedRunByCaller {
    private static int done;

    public static void main(String[] args) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> done++); //~ RACE
        }
        pool.shutdown();
    }
}
