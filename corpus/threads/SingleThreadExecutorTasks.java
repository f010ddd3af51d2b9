// A single-thread executor runs its tasks one after the other: the counter is confined to the worker.
package threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SingleThreadExecutorTasks {
    private int processed;

    public static void main(String[] args) throws Exception {
        SingleThreadExecutorTasks stats = new SingleThreadExecutorTasks();
        ExecutorService worker = Executors.newSingleThreadExecutor();
        for (int i = 0; i < 20; i++) {
            worker.execute(() -> stats.processed++); //~ NORACE: tasks of one worker are ordered
        }
        int seen = worker.submit(() -> stats.processed).get(); //~ NORACE: the same worker
        worker.shutdown();
        System.out.println(seen);
    }
}
