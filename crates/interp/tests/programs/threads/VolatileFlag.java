/** Publication through a volatile flag; a Dekker-like handshake; double-checked locking. */
public class VolatileFlag {
    static volatile boolean ready;
    static int data;
    static volatile int turn;

    static class Lazy {
        private static volatile Lazy instance;
        static int made;
        final int[] content = {1, 2, 3};

        static Lazy get() {
            Lazy l = instance;
            if (l == null) {
                synchronized (Lazy.class) {
                    l = instance;
                    if (l == null) {
                        made++;
                        instance = l = new Lazy();
                    }
                }
            }
            return l;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[1];
        Thread reader = new Thread(() -> {
            while (!ready) Thread.onSpinWait();
            seen[0] = data;
        });
        reader.start();
        data = 42;
        ready = true;
        reader.join();
        System.out.println(seen[0]);
        StringBuilder log = new StringBuilder();
        Thread[] players = new Thread[3];
        for (int p = 0; p < 3; p++) {
            int me = p;
            players[p] = new Thread(() -> {
                for (int round = 0; round < 4; round++) {
                    while (turn % 3 != me) Thread.yield();
                    log.append((char) ('a' + me)).append(round).append(' ');
                    turn++;
                }
            });
        }
        for (Thread t : players) t.start();
        for (Thread t : players) t.join();
        System.out.println(log);
        int[] sums = new int[4];
        Thread[] users = new Thread[4];
        for (int u = 0; u < 4; u++) {
            int me = u;
            (users[u] = new Thread(() -> { for (int i : Lazy.get().content) sums[me] += i; })).start();
        }
        for (Thread t : users) t.join();
        System.out.println(sums[0] + sums[1] + sums[2] + sums[3] + " " + Lazy.made);
    }
}
