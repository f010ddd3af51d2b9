// A travelling-salesman solver: partial tours are handed over under a lock, the best length so far is written under
// the lock but read without it to cut the search.
package papers;

import java.util.ArrayDeque;
import java.util.Deque;

public class TspShape {
    static final int CITIES = 5;
    static final int[][] DISTANCE = new int[CITIES][CITIES];
    static final Object MIN_LOCK = new Object();
    static int minLength = Integer.MAX_VALUE;

    static {
        for (int i = 0; i < CITIES; i++) {
            for (int j = 0; j < CITIES; j++) {
                DISTANCE[i][j] = Math.abs(i - j) * 3 + (i * j) % 4; //~ NORACE: class initialisation
            }
        }
    }

    static class Tour {
        final int[] prefix = new int[CITIES];
        int last;
        int length;
    }

    static class TourQueue {
        private final Deque<Tour> tours = new ArrayDeque<>();

        synchronized void add(Tour tour) {
            tours.push(tour); //~ NORACE: guarded by the queue
        }

        synchronized Tour next() {
            return tours.poll(); //~ NORACE: guarded by the queue
        }
    }

    static class Solver extends Thread {
        private final TourQueue queue;
        private int visited;

        Solver(TourQueue queue) {
            this.queue = queue;
        }

        @Override
        public void run() {
            for (Tour tour = queue.next(); tour != null; tour = queue.next()) {
                extend(tour);
            }
        }

        private void extend(Tour tour) {
            visited++; //~ NORACE: the solver's own
            if (tour.length >= minLength) { //~ RACE: the bound is read without the lock
                return;
            }
            if (tour.last == CITIES - 1) { //~ NORACE: taken out of the queue by one solver
                setBest(tour.length); //~ NORACE: taken out of the queue by one solver
                return;
            }
            for (int city = 1; city < CITIES; city++) {
                if (!contains(tour, city)) {
                    Tour longer = new Tour();
                    System.arraycopy(tour.prefix, 0, longer.prefix, 0, CITIES); //~ NORACE: own tours
                    longer.last = tour.last + 1; //~ NORACE: own tours
                    longer.prefix[longer.last] = city; //~ NORACE: own tours
                    longer.length = tour.length + DISTANCE[tour.prefix[tour.last]][city]; //~ NORACE: own tours
                    extend(longer);
                }
            }
        }

        private static boolean contains(Tour tour, int city) {
            for (int i = 0; i <= tour.last; i++) {
                if (tour.prefix[i] == city) { //~ NORACE: taken out of the queue by one solver
                    return true;
                }
            }
            return false;
        }

        private static void setBest(int length) {
            synchronized (MIN_LOCK) {
                if (length < minLength) { //~ NORACE: all writes hold MIN_LOCK
                    minLength = length; //~ RACE
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        TourQueue queue = new TourQueue();
        for (int city = 1; city < CITIES; city++) {
            Tour tour = new Tour();
            tour.last = 1; //~ NORACE: not in the queue yet
            tour.prefix[1] = city; //~ NORACE: not in the queue yet
            tour.length = DISTANCE[0][city]; //~ NORACE: not in the queue yet
            queue.add(tour);
        }
        Solver[] solvers = {new Solver(queue), new Solver(queue)};
        for (Solver solver : solvers) {
            solver.start();
        }
        for (Solver solver : solvers) {
            solver.join();
        }
        System.out.println(minLength); //~ NORACE: after the joins
    }
}
