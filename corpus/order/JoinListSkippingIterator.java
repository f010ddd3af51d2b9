// The application's own list has an iterator that leaves out the first element.
package order;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class JoinListSkippingIterator {
    private static int total;

    static class Skipping extends ArrayList<Thread> {
        private static final long serialVersionUID = 1;

        @Override
        public Iterator<Thread> iterator() {
            Iterator<Thread> all = super.iterator();
            all.next();
            return all;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new Skipping();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListSkippingIterator.class) {
                    total++; //~ RACE: the first worker is not joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: the first worker may still run
    }
}
