// A tool that counts words of files by tasks; each result object is filled by its task and read after get.
package threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class TaskPerFile {
    static class Counts {
        final Map<String, Integer> words = new HashMap<>();
        int lines;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        List<String> files = List.of("a b a", "b c", "c c c");
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Counts>> pending = new ArrayList<>();
        for (String file : files) {
            pending.add(pool.submit(() -> count(file)));
        }
        Map<String, Integer> total = new TreeMap<>();
        int lines = 0;
        for (Future<Counts> one : pending) {
            Counts counts = one.get();
            lines += counts.lines; //~ NORACE: the task is done
            counts.words.forEach((word, n) -> total.merge(word, n, Integer::sum)); //~ NORACE: the task is done
        }
        pool.shutdown();
        System.out.println(total + " " + lines); //~ NORACE: main only
    }

    private static Counts count(String text) {
        Counts counts = new Counts();
        for (String word : text.split(" ")) {
            counts.words.merge(word, 1, Integer::sum); //~ NORACE: the task's own
        }
        counts.lines++; //~ NORACE: the task's own
        return counts;
    }
}
