// A stream starts a thread for each of its elements, and is done when all have been started, not when they
// have ended.
package order;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

public class StreamStartsThreads {
    private static int started;
    private static int submitted;

    public static void main(String[] args) {
        IntStream.range(0, 1).forEach(number -> new Thread(() -> {
            started++; //~ RACE
        }).start());
        System.out.println(started >= 0); //~ RACE: nobody has waited for the thread
        ExecutorService pool = Executors.newSingleThreadExecutor();
        List.of(1, 2).stream().forEach(number -> pool.execute(() -> {
            submitted++; //~ RACE
        }));
        System.out.println(submitted >= 0); //~ RACE: nobody has waited for the tasks
        pool.shutdown();
    }
}
