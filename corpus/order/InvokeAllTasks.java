// invokeAll returns when all tasks are done: the slots they filled may be read.
package order;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAllTasks {
    static class Download implements Callable<Void> {
        int bytes;

        @Override
        public Void call() {
            bytes = 100; //~ RACE spurious: invokeAll waits; the tasks of a list are not told apart
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            downloads.add(new Download());
        }
        pool.invokeAll(downloads);
        int sum = 0;
        for (Download download : downloads) {
            sum += download.bytes; //~ NORACE: all tasks are done
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
