import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Churn for a given time: threads that come and go, class loaders with classes of their own, objects behind locks and in queues. */
public class Soak {
    /** What each loader defines anew. */
    public static class Work implements Runnable {
        private static long done;
        private int count;
        private final int[] cells = new int[64];

        @Override
        public void run() {
            for (int i = 0; i < 2000; i++) {
                synchronized (this) {
                    count++;
                    cells[i & 63] += count;
                }
            }
            int mine;
            synchronized (this) {
                mine = count;
            }
            synchronized (Work.class) {
                done += mine;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        URL[] path = {Path.of(arguments[1]).toUri().toURL()};
        ConcurrentLinkedQueue<int[]> queue = new ConcurrentLinkedQueue<>();
        long rounds = 0;
        long threads = 0;
        long next = 0;
        while (System.nanoTime() < end) {
            try (URLClassLoader loader = new URLClassLoader(path, null)) {
                Runnable work = (Runnable) loader.loadClass("Soak$Work").getConstructor().newInstance();
                List<Thread> started = new ArrayList<>();
                for (int t = 0; t < 8; t++) {
                    Thread thread = new Thread(() -> {
                        work.run();
                        queue.add(new int[100]);
                        int[] taken = queue.poll();
                        if (taken != null) taken[3]++;
                    });
                    thread.start();
                    started.add(thread);
                }
                for (Thread thread : started) thread.join();
                threads += started.size();
            }
            rounds++;
            if (System.nanoTime() >= next) {
                next = System.nanoTime() + 10_000_000_000L;
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.println(resident() + " KB resident, " + (runtime.totalMemory() - runtime.freeMemory()) / 1024 + " KB heap, " + rounds + " loaders, "
                    + threads + " threads");
            }
        }
        System.out.println("done");
    }

    private static String resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return line.replaceAll("\\D", "");
        }
        return "0";
    }
}
