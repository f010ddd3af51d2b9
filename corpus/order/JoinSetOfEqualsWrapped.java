// As JoinSetOfEquals, but the set that drops equal threads lies behind many wrappers.
package order;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;

public class JoinSetOfEqualsWrapped {
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
        Collection<Thread> all = Collections.synchronizedSet(
                Collections.synchronizedSet(
                        Collections.synchronizedSet(
                                Collections.synchronizedSet(
                                        Collections.synchronizedSet(
                                                Collections.synchronizedSet(new HashSet<>()))))));
        for (int i = 0; i < 3; i++) {
            Worker worker = new Worker();
            worker.start();
            all.add(worker);
        }
        for (Thread worker : all) {
            worker.join();
        }
        System.out.println(done); //~ RACE
    }
}
