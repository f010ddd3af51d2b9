// A report is built by tasks, each with a builder of its own that a helper fills; the texts come back as futures.
package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ReusedBuilderPerTask {
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newWorkStealingPool();
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int part = i;
            tasks.add(() -> render(part));
        }
        StringBuilder all = new StringBuilder();
        for (Future<String> text : pool.invokeAll(tasks)) {
            all.append(text.get()); //~ NORACE: main only
        }
        System.out.println(all.length() > 0); //~ NORACE: main only
        pool.shutdown();
    }

    private static String render(int part) {
        StringBuilder text = new StringBuilder();
        indent(text, part);
        List<String> lines = new ArrayList<>();
        lines.add("line " + part); //~ NORACE: local
        lines.forEach(line -> text.append(line)); //~ NORACE: local
        return text.toString(); //~ NORACE: local
    }

    private static void indent(StringBuilder text, int depth) {
        for (int i = 0; i < depth; i++) {
            text.append(' '); //~ NORACE: the caller's own
        }
    }
}
