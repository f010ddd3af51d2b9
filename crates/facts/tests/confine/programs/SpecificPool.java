import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks of a pool: made for one submission, submitted twice, kept and submitted later, a lambda in a parallel stream. */
public class SpecificPool {
    static class Once implements Runnable {
        int steps;

        public void run() {
            steps++; // pair: the pool's workers have it in hand, and nobody says here that they pass it on
        }
    }

    static class Twice implements Runnable {
        int steps;

        public void run() {
            steps++; // pair
        }
    }

    static class Kept implements Runnable {
        int steps;

        public void run() {
            steps++; // pair
        }
    }

    static class Total {
        int value;

        void add(int n) {
            value += n; // pair
        }
    }

    static Kept kept = new Kept();

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            pool.execute(new Once());
        }
        Twice twice = new Twice();
        for (int i = 0; i < 4; i++) {
            pool.execute(twice);
        }
        pool.execute(kept);
        pool.execute(kept);
        Total total = new Total();
        List.of(1, 2, 3).parallelStream().forEach(n -> total.add(n));
        pool.shutdown();
    }
}
