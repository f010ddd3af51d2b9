import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Outcomes of work that order nothing, or not what is touched. */
final class RacyOutcomes {
    private static void end(ExecutorService pool) throws Exception {
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    /** The cause comes from one task, the box is another one's. */
    @Suite.Racy
    static void causeOfAnotherTask(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, Suite.factory());
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            Future<?> writes = pool.submit(() -> box.value++);
            Future<?> fails = pool.submit(() -> {
                throw new IllegalStateException();
            });
            try {
                fails.get();
            } catch (ExecutionException e) {
                box.value++;
            }
            writes.get();
        }
        end(pool);
    }

    /** Written after the time-out was asked for, while the handler may run. */
    @Suite.Racy
    static void writeAfterOrTimeout(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            CompletableFuture<Integer> handled = new CompletableFuture<Integer>().orTimeout(1, TimeUnit.MILLISECONDS).handle((none, e) -> box.value++);
            box.value++;
            handled.get();
        }
    }

    /** The value that a time-out gives is still used by who gave it. */
    @Suite.Racy
    static void keptAfterCompleteOnTimeout(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            CompletableFuture<Integer> late =
                new CompletableFuture<Suite.Box>().completeOnTimeout(box, 1, TimeUnit.MILLISECONDS).thenApply(given -> given.value++);
            box.value++;
            late.get();
        }
    }

    /** Two repeated tasks of one pool, each in order, but not with each other. */
    @Suite.Racy
    static void twoRepeatedTasks(int n) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2, Suite.factory());
        Suite.Box box = new Suite.Box();
        Runnable[] tasks = new Runnable[2];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = () -> {
                for (int k = 0; k < 1000; k++) box.value++;
            };
        }
        ScheduledFuture<?> first = pool.scheduleWithFixedDelay(tasks[0], 0, 1, TimeUnit.MICROSECONDS);
        ScheduledFuture<?> second = pool.scheduleWithFixedDelay(tasks[1], 0, 1, TimeUnit.MICROSECONDS);
        Thread.sleep(50);
        first.cancel(false);
        second.cancel(false);
        end(pool);
    }

    /** A thread whose fields are read while it runs. */
    private static final class Worker extends Thread {
        int value;

        Worker() {
            super("fieldsOfRunningThread");
        }

        @Override
        public void run() {
            value++;
        }
    }

    @Suite.Racy
    static void fieldsOfRunningThread(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Worker worker = new Worker();
            worker.start();
            worker.value++;
            worker.join();
        }
    }

    /** A state that is not the end says nothing. */
    @Suite.Racy
    static void stateBeforeTheEnd(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            Suite.check(thread.getState() != Thread.State.NEW);
            box.value++;
            thread.join();
        }
    }

    private enum Level {
        LOW;

        final Suite.Box box = new Suite.Box();
    }

    /** What an enumeration made is changed after it was initialised. */
    @Suite.Racy
    static void enumChangedLater(int n) throws Exception {
        Suite.Step step = i -> Level.LOW.box.value++;
        Suite.pair(n, step, step);
    }

    private static final ClassValue<Suite.Box> BY_CLASS = new ClassValue<>() {
        @Override
        protected Suite.Box computeValue(Class<?> type) {
            return new Suite.Box();
        }
    };

    @Suite.Racy
    static void classValueChangedLater(int n) throws Exception {
        Suite.Step step = i -> BY_CLASS.get(String.class).value++;
        Suite.pair(n, step, step);
    }

    /** Of a process one thread waits for the end, the other does not. */
    @Suite.Racy
    static void writeBesideProcess(int n) throws Exception {
        for (int i = 0; i < 3; i++) {
            Suite.Box box = new Suite.Box();
            CompletableFuture<Integer> ended = new ProcessBuilder("true").start().onExit().thenApply(process -> box.value++);
            box.value++;
            ended.get();
        }
    }
}
