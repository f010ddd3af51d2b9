// Threads in a set, all equal by their own method: the set keeps the first, and the others are never joined.
package order;

import java.util.HashSet;
import java.util.Set;

public class JoinSetOfEquals {
    private static int done;

    static class Worker extends Thread {
        @Override
        public void run() {
            done++; //~ RACE
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Worker;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Set<Worker> workers = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            Worker worker = new Worker();
            worker.start();
            workers.add(worker);
        }
        for (Worker worker : workers) {
            worker.join();
        }
        System.out.println(done); //~ RACE
    }
}
