/** Strict alternation with notify; a simple handover cell; timeouts that expire. */
public class PingPong {
    static final Object TABLE = new Object();
    static boolean ping = true;
    static final StringBuilder LOG = new StringBuilder();

    static void play(boolean mine, String word, int times) {
        for (int i = 0; i < times; i++) {
            synchronized (TABLE) {
                while (ping != mine) {
                    try {
                        TABLE.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                LOG.append(word).append(i).append(' ');
                ping = !ping;
                TABLE.notify();
            }
        }
    }

    static class Cell<T> {
        private T value;

        synchronized void put(T v) throws InterruptedException {
            while (value != null) wait();
            value = v;
            notifyAll();
        }

        synchronized T take() throws InterruptedException {
            while (value == null) wait();
            T v = value;
            value = null;
            notifyAll();
            return v;
        }

        synchronized T poll(long millis) throws InterruptedException {
            if (value == null) wait(millis);
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> play(true, "ping", 5)), b = new Thread(() -> play(false, "pong", 5));
        b.start();
        a.start();
        a.join();
        b.join();
        System.out.println(LOG);
        Cell<Integer> first = new Cell<>(), second = new Cell<>();
        Thread stage = new Thread(() -> {
            try {
                for (int v; (v = first.take()) != 0; ) second.put(v * v);
                second.put(-1);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        stage.start();
        Thread feeder = new Thread(() -> {
            try {
                for (int i = 5; i >= 0; i--) first.put(i);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        feeder.start();
        for (int v; (v = second.take()) > 0; ) System.out.print(v + " ");
        System.out.println();
        System.out.println(first.poll(2));
    }
}
