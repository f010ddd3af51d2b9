// invokeAny returns with the first result and cancels the rest, which may still be running.
package order;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAnyLosers {
    private static String fastest = "";

    static String ask(String mirror) {
        fastest = mirror; //~ RACE
        return mirror;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<String>> mirrors = List.of(() -> ask("a"), () -> ask("b"));
        pool.invokeAny(mirrors);
        System.out.println(fastest.length() == 1); //~ RACE
        pool.shutdown();
    }
}
