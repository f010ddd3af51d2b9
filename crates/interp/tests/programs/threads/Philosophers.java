import java.util.Arrays;

/** Dining philosophers with ordered forks: no deadlock, everybody eats. */
public class Philosophers {
    static class Fork {
        int uses;
    }

    static class Philosopher extends Thread {
        final Fork first, second;
        int meals;

        Philosopher(Fork first, Fork second) {
            this.first = first;
            this.second = second;
        }

        @Override public void run() {
            for (int i = 0; i < 10; i++) {
                synchronized (first) {
                    Thread.yield();
                    synchronized (second) {
                        first.uses++;
                        second.uses++;
                        meals++;
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Fork[] forks = new Fork[5];
        for (int i = 0; i < 5; i++) forks[i] = new Fork();
        Philosopher[] table = new Philosopher[5];
        for (int i = 0; i < 5; i++) {
            int a = i, b = (i + 1) % 5;
            table[i] = new Philosopher(forks[Math.min(a, b)], forks[Math.max(a, b)]);
        }
        for (Philosopher p : table) p.start();
        for (Philosopher p : table) p.join();
        System.out.println(Arrays.stream(table).mapToInt(p -> p.meals).sum() + " " + Arrays.stream(forks).mapToInt(f -> f.uses).sum());
    }
}
