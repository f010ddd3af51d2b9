// What runs at the end: finalizers, cleaners, shutdown hooks, uncaught-exception handlers, and System.exit.
// exit: 3

import java.lang.ref.Cleaner;
import java.util.concurrent.*;

public class Endings {
    static final Cleaner CLEANER = Cleaner.create();
    static final CountDownLatch collected = new CountDownLatch(2);

    static class Finalized {
        @Override @SuppressWarnings({"deprecation", "removal"}) protected void finalize() { collected.countDown(); }
    }

    static class Cleaned implements AutoCloseable {
        private static class State implements Runnable {
            @Override public void run() { collected.countDown(); }
        }
        private final Cleaner.Cleanable cleanable = CLEANER.register(this, new State());
        @Override public void close() { cleanable.clean(); }
    }

    static class Hook extends Thread {
        @Override public void run() { System.out.println("hook"); }
    }

    static class Handler implements Thread.UncaughtExceptionHandler {
        @Override public void uncaughtException(Thread thread, Throwable thrown) { System.out.println("handled " + thrown.getMessage()); }
    }

    static class Group extends ThreadGroup {
        Group() { super("group"); }
        @Override public void uncaughtException(Thread thread, Throwable thrown) { System.out.println("group got " + thrown.getMessage()); }
    }

    static void drop() {
        new Finalized();
        new Cleaned();
    }

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Hook());
        drop();
        for (int i = 0; i < 100 && collected.getCount() > 0; i++) {
            System.gc();
            collected.await(20, TimeUnit.MILLISECONDS);
        }
        System.out.println("collected " + collected.getCount());
        Thread failing = new Thread(() -> { throw new IllegalStateException("one"); });
        failing.setUncaughtExceptionHandler(new Handler());
        failing.start();
        failing.join();
        Thread inGroup = new Thread(new Group(), () -> { throw new IllegalStateException("two"); });
        inGroup.start();
        inGroup.join();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.out.println("default " + thrown.getMessage()));
        Thread last = new Thread(() -> { throw new IllegalStateException("three"); });
        last.start();
        last.join();
        System.exit(3);
    }
}
