// The same workers, read just before they are joined: the worker may still count.
package order;

import java.util.ArrayList;
import java.util.List;

public class WorkerReadThenJoined {
    static class Worker extends Thread {
        private int done;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                done++; //~ RACE
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
            sum += worker.done; //~ RACE
            worker.join();
        }
        System.out.println(sum >= 0);
    }
}
