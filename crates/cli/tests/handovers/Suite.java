import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs named cases, each a static method with a loop count: {@code Suite safe|racy LOOPS [CASE | -CASE]...}; {@code Suite names} lists the safe ones.
 *
 * A safe case hands plain data over by one means of the platform; a racy one is its twin without what orders. Threads that a case starts are
 * named after it, and accesses of a racy case are in its own method or lambdas, so that a report names the case. After each case its name is
 * printed.
 */
final class Suite {
    /** No data race in any schedule. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Safe {}

    /** A data race on {@code Box.value}, or on the field that is named, in every schedule. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Racy {
        String value() default "value";
    }

    /** What is handed over. */
    static class Box implements Comparable<Box> {
        int value;
        final int[] cells = new int[4];

        @Override
        public int compareTo(Box other) {
            return 0;
        }
    }

    /** What a thread does. */
    interface Body {
        void run() throws Exception;
    }

    /** One step of a loop. */
    interface Step {
        void run(int i) throws Exception;
    }

    /** Takes a box from the other thread, or gives it. */
    interface Taker {
        Box take() throws Exception;
    }

    interface Giver {
        void give(Box box) throws Exception;
    }

    private static final Class<?>[] FILES = {
        Queues.class, Synchronizers.class, Locks.class, Atomics.class, Handles.class, Maps.class, Tasks.class, Futures.class, Threads.class,
        RacyQueues.class, RacyLocks.class, RacyVariables.class, RacyTasks.class, RacyContainers.class, RacyThreads.class,
        Homemade.class, RacyHomemade.class, Outcomes.class, RacyOutcomes.class, Platform.class, RacyPlatform.class, Modern.class, RacyModern.class, Callbacks.class, RacyCallbacks.class, Indirect.class, RacyIndirect.class,
        Beginnings.class, RacyBeginnings.class
    };

    /** The case that runs: threads are named after it. */
    private static volatile String current = "";

    private static volatile Throwable failed;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("names")) {
            names();
            return;
        }
        boolean racy = arguments[0].equals("racy");
        int loops = Integer.parseInt(arguments[1]);
        List<String> names = Arrays.asList(arguments).subList(2, arguments.length);
        boolean all = names.stream().allMatch(name -> name.startsWith("-"));
        for (Class<?> file : FILES) {
            List<Method> methods = new ArrayList<>();
            for (Method method : file.getDeclaredMethods()) {
                if (method.isAnnotationPresent(racy ? Racy.class : Safe.class)) methods.add(method);
            }
            methods.sort(Comparator.comparing(Method::getName));
            for (Method method : methods) {
                String name = method.getName();
                if (all ? names.contains("-" + name) : !names.contains(name)) continue;
                perform(method, loops);
            }
        }
    }

    private static void names() {
        for (Class<?> file : FILES) {
            Arrays.stream(file.getDeclaredMethods()).filter(method -> method.isAnnotationPresent(Safe.class)).map(Method::getName).sorted().forEach(System.out::println);
        }
    }

    private static void perform(Method method, int loops) throws Exception {
        String name = method.getName();
        current = name;
        failed = null;
        long start = System.nanoTime();
        // When a lambda or a handle is first used, tables of the JDK order more than the program does: a racy case is run twice.
        int times = method.isAnnotationPresent(Racy.class) ? 2 : 1;
        try {
            for (int i = 0; i < times; i++) method.invoke(null, loops);
        } catch (InvocationTargetException e) {
            if (failed == null) failed = e.getCause();
        }
        boolean absent = failed instanceof UnsupportedOperationException;
        if (failed != null && !absent) throw new AssertionError(name, failed);
        Racy racy = method.getAnnotation(Racy.class);
        String field = racy == null ? "" : " " + racy.value();
        System.out.println((absent ? "absent " : "done ") + name + field);
        if (System.getenv("TIMES") != null) System.out.println("  " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    /** A thread named after the case. */
    static Thread thread(Body body) {
        return new Thread(() -> quietly(body), current + "-" + System.nanoTime() % 1000);
    }

    /** A factory of daemon threads named after the case. */
    static ThreadFactory factory() {
        String name = current;
        return runnable -> {
            Thread thread = new Thread(runnable, name + "-pool");
            thread.setDaemon(true);
            return thread;
        };
    }

    static void quietly(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            if (failed == null) failed = e;
        }
    }

    /** Runs bodies at the same time and waits for all. */
    static void together(Body... bodies) throws Exception {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) threads[i] = thread(bodies[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        if (failed instanceof UnsupportedOperationException e) throw e;
        if (failed != null) throw new AssertionError(current, failed);
    }

    /** Two loops at the same time. */
    static void pair(int n, Step first, Step second) throws Exception {
        together(() -> {
            for (int i = 0; i < n; i++) first.run(i);
        }, () -> {
            for (int i = 0; i < n; i++) second.run(i);
        });
    }

    /** Waits without ordering more than the condition itself does. */
    static void until(BooleanSupplier condition) {
        for (int spins = 0; !condition.getAsBoolean(); spins++) {
            if (failed != null) throw new IllegalStateException("the other thread failed");
            if (spins < 20) Thread.onSpinWait();
            else Thread.yield();
        }
    }

    /** The first answer that is not null. */
    static Box poll(Callable<Box> source) throws Exception {
        for (int spins = 0; ; spins++) {
            Box box = source.call();
            if (box != null) return box;
            if (failed != null) throw new IllegalStateException("the other thread failed");
            if (spins < 20) Thread.onSpinWait();
            else Thread.yield();
        }
    }

    static void check(boolean holds) {
        if (!holds) throw new AssertionError(current);
    }

    /** One thread fills new boxes, the other empties them. */
    static void stream(int n, Giver giver, Taker taker) throws Exception {
        pair(n, i -> {
            Box box = new Box();
            box.value = i;
            box.cells[i & 3] = i;
            giver.give(box);
        }, i -> {
            Box box = taker.take();
            check(box.cells[box.value & 3] == box.value);
            box.value = -1;
            box.cells[0] = -1;
        });
    }

    /** One box goes there and back. */
    static void pingPong(int n, Giver there, Taker arrived, Giver back, Taker returned) throws Exception {
        Box[] first = {new Box()};
        pair(n, i -> {
            Box box = first[0];
            check(box.value == 2 * i && box.cells[1] == 2 * i);
            box.value++;
            box.cells[1]++;
            there.give(box);
            first[0] = returned.take();
        }, i -> {
            Box box = arrived.take();
            check(box.value == 2 * i + 1 && box.cells[1] == 2 * i + 1);
            box.value++;
            box.cells[1]++;
            back.give(box);
        });
    }

    /** A turn that passes between two threads: each changes the box while it has it. */
    static void turns(int n, IntTurn turn) throws Exception {
        Box box = new Box();
        pair(n, i -> {
            turn.await(2 * i);
            box.value++;
            box.cells[2]++;
            turn.pass(2 * i + 1);
        }, i -> {
            turn.await(2 * i + 1);
            check(box.value == 2 * i + 1 && box.cells[2] == 2 * i + 1);
            box.value++;
            box.cells[2]++;
            turn.pass(2 * i + 2);
        });
    }

    /** A number that only grows; whoever waits for it sees what was done before it was passed on. */
    interface IntTurn {
        void await(int number) throws Exception;

        void pass(int number) throws Exception;
    }

    /** Two threads change a box in sections that exclude each other. */
    static void sections(int n, Section section) throws Exception {
        Box box = new Box();
        Step step = i -> section.within(() -> {
            box.value++;
            box.cells[3] = box.value;
        });
        pair(n, step, step);
        check(box.value == 2 * n);
    }

    interface Section {
        void within(Body body) throws Exception;
    }

    /** The first access of both sides is made after both threads have come here. */
    static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await(20, TimeUnit.SECONDS);
    }
}
