// Each worker counts in a field of its own, and is joined just before that field is read.
package order;

import java.util.ArrayList;
import java.util.List;

public class WorkerJoinedThenRead {
    static class Worker extends Thread {
        private int done;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                done++; //~ NORACE: the worker's own
            }
        }
    }

    public static void main(String[] args) throws Exception {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Worker worker = new Worker();
            workers.add(worker);
            worker.start();
        }
        int sum = 0;
        for (Worker worker : workers) {
            worker.join();
            sum += worker.done; //~ NORACE: this worker has ended
        }
        System.out.println(sum);
    }
}
