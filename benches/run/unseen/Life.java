import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The game of life on a torus; two threads with half of the rows each, and a barrier after each generation. */
public class Life {
    private final int width;
    private final int height;
    private byte[][] now;
    private byte[][] next;
    private final int[] alive;
    private final CyclicBarrier barrier;
    private int generation;

    Life(int width, int height, int threads) {
        this.width = width;
        this.height = height;
        now = new byte[height][width];
        next = new byte[height][width];
        alive = new int[threads];
        barrier = new CyclicBarrier(threads, this::turn);
    }

    private void turn() {
        byte[][] old = now;
        now = next;
        next = old;
        generation++;
        if (generation % 100 == 0) {
            int sum = 0;
            for (int part : alive) sum += part;
            System.out.println(generation + " " + sum);
        }
    }

    void sow(int seed) {
        long state = seed;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                state = state * 25214903917L + 11;
                now[y][x] = (byte) (state >>> 40 & 1);
            }
        }
    }

    void glider(int x, int y) {
        now[y][x + 1] = 1;
        now[y + 1][x + 2] = 1;
        now[y + 2][x] = 1;
        now[y + 2][x + 1] = 1;
        now[y + 2][x + 2] = 1;
    }

    private int neighbours(int x, int y) {
        int count = 0;
        for (int dy = -1; dy <= 1; dy++) {
            byte[] row = now[Math.floorMod(y + dy, height)];
            for (int dx = -1; dx <= 1; dx++) {
                if (dx != 0 || dy != 0) count += row[Math.floorMod(x + dx, width)];
            }
        }
        return count;
    }

    private int step(int from, int to) {
        int count = 0;
        for (int y = from; y < to; y++) {
            byte[] above = now[y == 0 ? height - 1 : y - 1];
            byte[] row = now[y];
            byte[] below = now[y == height - 1 ? 0 : y + 1];
            byte[] into = next[y];
            for (int x = 1; x < width - 1; x++) {
                int around = above[x - 1] + above[x] + above[x + 1] + row[x - 1] + row[x + 1]
                    + below[x - 1] + below[x] + below[x + 1];
                into[x] = (byte) (around == 3 || around == 2 && row[x] == 1 ? 1 : 0);
                count += into[x];
            }
            for (int x = 0; x < width; x += width - 1) {
                int around = neighbours(x, y);
                into[x] = (byte) (around == 3 || around == 2 && row[x] == 1 ? 1 : 0);
                count += into[x];
            }
        }
        return count;
    }

    void run(int generations) throws InterruptedException {
        Thread[] workers = new Thread[alive.length];
        for (int t = 0; t < workers.length; t++) {
            int part = t;
            int from = height * t / workers.length;
            int to = height * (t + 1) / workers.length;
            workers[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < generations; i++) {
                        alive[part] = step(from, to);
                        barrier.await();
                    }
                } catch (InterruptedException | BrokenBarrierException failure) {
                    throw new IllegalStateException(failure);
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) worker.join();
    }

    int hash() {
        int hash = 0;
        for (byte[] row : now) {
            for (byte cell : row) hash = 31 * hash + cell;
        }
        return hash;
    }

    public static void main(String[] args) throws Exception {
        int generations = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        Life life = new Life(768, 512, 2);
        life.sow(9);
        for (int i = 0; i < 10; i++) life.glider(20 + 40 * i, 30 * i);
        life.run(generations);
        System.out.println(life.hash());
    }
}
