import java.util.ArrayList;
import java.util.List;

/** Threads with state of their own, and the ways in which it stops being their own. */
public class SpecificWorkers {
    static class Counter {
        int value;
    }

    static class Worker extends Thread {
        int steps;
        final int[] buffer = new int[8];
        private Counter own;
        private final Counter fromOutside;
        private final List<String> log = new ArrayList<>();

        Worker(Counter fromOutside) {
            this.fromOutside = fromOutside;
        }

        @Override
        public void run() {
            own = new Counter();
            for (int i = 0; i < 8; i++) {
                steps++;
                buffer[i] = steps;
                own.value++;
                log.add("step");
                fromOutside.value++; // pair: all workers have it
            }
        }
    }

    static class Neighbour extends Thread {
        static final Neighbour[] ALL = new Neighbour[4];
        int state;
        final int index;

        Neighbour(int index) {
            this.index = index;
        }

        @Override
        public void run() {
            state++; // pair
            Neighbour next = ALL[(index + 1) % ALL.length]; // pair
            next.state++; // pair: it is in a static array that all read
        }
    }

    static class Nested extends Thread {
        final int depth;
        int state;

        Nested(int depth) {
            this.depth = depth;
        }

        @Override
        public void run() {
            state++; // pair: the starter, itself a thread, touches it too
            if (depth > 0) {
                Nested child = new Nested(depth - 1);
                child.start();
                child.state++; // pair
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Counter shared = new Counter();
        Worker[] workers = new Worker[4];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(shared);
            workers[i].start();
        }
        for (int i = 0; i < 4; i++) {
            Neighbour.ALL[i] = new Neighbour(i); // pair
            Neighbour.ALL[i].start();
        }
        new Nested(3).start();
        new Nested(3).start();
    }
}
