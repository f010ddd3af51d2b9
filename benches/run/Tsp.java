// Travelling salesman by branch and bound: threads take partial tours from a shared queue and read the best length unlocked.
import java.util.ArrayDeque;

public class Tsp {
    static int cities;
    static int[][] distance;
    static int best = Integer.MAX_VALUE;
    static final ArrayDeque<Tour> queue = new ArrayDeque<>();
    static final Object lock = new Object();

    static class Tour {
        final int[] path;
        int length;
        int cost;
        boolean[] visited;

        Tour(int cities) {
            path = new int[cities];
            visited = new boolean[cities];
        }
    }

    public static void main(String[] args) throws Exception {
        cities = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        distance = new int[cities][cities];
        for (int i = 0; i < cities; i++) {
            for (int j = 0; j < cities; j++) {
                distance[i][j] = i == j ? 0 : 10 + (i * 73 + j * 73 + i * j * 31) % 97;
            }
        }
        for (int second = 1; second < cities; second++) {
            Tour tour = new Tour(cities);
            tour.path[0] = 0;
            tour.path[1] = second;
            tour.length = 2;
            tour.cost = distance[0][second];
            tour.visited[0] = true;
            tour.visited[second] = true;
            queue.add(tour);
        }
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            workers[t] = new Thread(Tsp::work);
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(best);
    }

    static void work() {
        while (true) {
            Tour tour;
            synchronized (lock) {
                tour = queue.poll();
            }
            if (tour == null) {
                return;
            }
            extend(tour);
        }
    }

    static void extend(Tour tour) {
        if (tour.cost >= best) {
            return;
        }
        int last = tour.path[tour.length - 1];
        if (tour.length == cities) {
            int total = tour.cost + distance[last][0];
            synchronized (lock) {
                if (total < best) {
                    best = total;
                }
            }
            return;
        }
        for (int next = 1; next < cities; next++) {
            if (!tour.visited[next]) {
                tour.visited[next] = true;
                tour.path[tour.length++] = next;
                tour.cost += distance[last][next];
                extend(tour);
                tour.cost -= distance[last][next];
                tour.length--;
                tour.visited[next] = false;
            }
        }
    }
}
