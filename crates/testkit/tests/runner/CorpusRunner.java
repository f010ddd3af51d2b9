import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs the main methods of the given classes one after the other in one JVM. For each it prints a line:
 * the class, "ended" or "hangs" or "fails", the milliseconds, the output with line ends as '|', and what was thrown.
 */
public class CorpusRunner {
    private static final long LIMIT_MILLIS = 5_000;

    public static void main(String[] names) throws Exception {
        PrintStream console = System.out;
        for (String name : names) {
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            System.setOut(new PrintStream(output, true));
            ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            Thread.setDefaultUncaughtExceptionHandler((thread, error) -> thrown.add(error));
            ThreadGroup group = new ThreadGroup(name);
            Thread program = new Thread(group, () -> call(name, thrown));
            long begin = System.nanoTime();
            program.start();
            boolean ended = waitFor(group, begin);
            long millis = (System.nanoTime() - begin) / 1_000_000;
            System.setOut(console);
            String status = !ended ? "hangs" : thrown.isEmpty() ? "ended" : "fails";
            String text = output.toString().replace("\r", "").replace('\n', '|').replace('\t', ' ');
            console.println(name + "\t" + status + "\t" + millis + "\t" + text + "\t" + thrown);
        }
        console.flush();
        System.exit(0);
    }

    private static void call(String name, ConcurrentLinkedQueue<Throwable> thrown) {
        try {
            Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (ReflectiveOperationException e) {
            thrown.add(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Whether all threads of the group that are no daemons end in time. */
    private static boolean waitFor(ThreadGroup group, long begin) throws InterruptedException {
        while ((System.nanoTime() - begin) / 1_000_000 < LIMIT_MILLIS) {
            Thread[] threads = new Thread[group.activeCount() + 16];
            int count = group.enumerate(threads);
            Thread running = null;
            for (int i = 0; i < count; i++) {
                if (!threads[i].isDaemon()) {
                    running = threads[i];
                }
            }
            if (running == null) {
                return true;
            }
            running.join(20);
        }
        return false;
    }
}
