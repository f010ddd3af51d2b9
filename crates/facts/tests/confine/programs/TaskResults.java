import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a task returns gets to the thread that waits for it; order is not what escape is about. */
public class TaskResults {
    static class Result {
        int value;
    }

    static class Scratch {
        int value;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Result> future = pool.submit(() -> {
            Scratch scratch = new Scratch();
            scratch.value++;
            Result result = new Result();
            result.value = scratch.value; // pair
            return result;
        });
        Result result = future.get();
        result.value++; // pair
        Scratch scratch = new Scratch();
        scratch.value++;
        pool.shutdown();
    }
}
