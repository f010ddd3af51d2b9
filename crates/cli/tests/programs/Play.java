import java.util.concurrent.locks.ReentrantLock;

/** Plays schedules: each of three threads does its steps when their turn comes. */
final class Play {
    /** The object whose fields are accessed. */
    static final class Pair {
        int x;
        int y;
    }

    /** The accesses of one schedule, in code of its own so that a report names it. */
    interface Code {
        void access(int what, int[] array, Pair pair, int from, int to);
    }

    private Play() {}

    /** Each step: thread, what, from, to. What is 0 to take the lock {@code from}, 1 to give it back, or an access. */
    static void play(int[][] steps, int length, Code code) throws InterruptedException {
        int[] array = new int[length];
        Pair pair = new Pair();
        ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock()};
        Thread[] threads = new Thread[3];
        Turn.begin();
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int n = 0; n < steps.length; n++) {
                    int[] step = steps[n];
                    if (step[0] != me) continue;
                    Turn.await(n);
                    if (step[1] == 0) {
                        locks[step[2]].lock();
                    } else if (step[1] == 1) {
                        locks[step[2]].unlock();
                    } else {
                        code.access(step[1], array, pair, step[2], step[3]);
                    }
                    Turn.next();
                }
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
