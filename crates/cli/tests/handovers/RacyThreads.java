import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;

/** Threads, initialisation and publication without order. */
final class RacyThreads {
    @Suite.Racy
    static void writeAfterStart(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Thread thread = Suite.thread(() -> box.value++);
        thread.start();
        box.value++;
        thread.join();
    }

    @Suite.Racy
    static void readBeforeJoin(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Thread thread = Suite.thread(() -> box.value = 1);
        thread.start();
        Suite.check(box.value >= 0);
        thread.join();
    }

    @Suite.Racy
    static void joinTimedOut(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Suite.thread(() -> {
            box.value = 1;
            end.await();
        });
        thread.start();
        thread.join(5);
        Suite.check(box.value >= 0);
        end.countDown();
        thread.join();
    }

    @Suite.Racy
    static void joinOfAnother(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Thread writer = Suite.thread(() -> box.value = 1);
        Thread other = Suite.thread(() -> {});
        writer.start();
        other.start();
        other.join();
        Suite.check(box.value >= 0);
        writer.join();
    }

    @Suite.Racy
    static void isStillAlive(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Suite.thread(() -> {
            box.value = 1;
            end.await();
        });
        thread.start();
        Suite.check(thread.isAlive());
        Suite.check(box.value >= 0);
        end.countDown();
        thread.join();
    }

    @Suite.Racy
    static void writeAfterInterrupt(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Thread thread = Suite.thread(() -> {
            Suite.until(() -> Thread.currentThread().isInterrupted());
            box.value++;
        });
        thread.start();
        thread.interrupt();
        box.value++;
        thread.join();
    }

    @Suite.Racy
    static void sleep(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.together(() -> box.value = 1, () -> {
            Thread.sleep(5);
            Suite.check(box.value >= 0);
        });
    }

    /** Both threads have the same object in their thread-local variable. */
    @Suite.Racy
    static void sharedThreadLocal(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        ThreadLocal<Suite.Box> local = ThreadLocal.withInitial(() -> box);
        Suite.together(() -> local.get().value++, () -> local.get().value++);
    }

    @Suite.Racy
    static void inheritedThreadLocal(int n) throws Exception {
        InheritableThreadLocal<Suite.Box> local = new InheritableThreadLocal<>();
        local.set(new Suite.Box());
        Suite.together(() -> local.get().value++, () -> local.get().value++);
    }

    private static class Holder {
        static int late = 1;
    }

    /** Initialisation orders what it wrote itself, not what is written after it. */
    @Suite.Racy("late")
    static void afterInitialisation(int n) throws Exception {
        Suite.together(() -> Holder.late = 2, () -> Suite.check(Holder.late > 0));
    }

    private static Leaked leaked;

    private static final class Leaked {
        final int number;

        Leaked() {
            leaked = this;
            number = 3;
        }
    }

    @Suite.Racy("number")
    static void finalAfterEscape(int n) throws Exception {
        Suite.together(() -> new Leaked(), () -> {
            for (int i = 0; leaked == null && i < 10_000; i++) Thread.yield();
            Suite.check(leaked.number >= 0);
        });
    }

    private static Suite.Box single;

    /** Double-checked locking without a volatile field. */
    @Suite.Racy("single")
    static void doubleCheckedPlain(int n) throws Exception {
        Object lock = new Object();
        Suite.Body get = () -> {
            if (single == null) {
                synchronized (lock) {
                    if (single == null) single = new Suite.Box();
                }
            }
        };
        Suite.together(get, get);
    }

    private static Suite.Box published;

    @Suite.Racy("published")
    static void plainPublication(int n) throws Exception {
        Suite.together(() -> {
            Suite.Box box = new Suite.Box();
            box.value = 1;
            published = box;
        }, () -> {
            Suite.Box box = published;
            Suite.check(box == null || box.value >= 0);
        });
    }

    @Suite.Racy
    static void writeBesideCleaner(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch done = new CountDownLatch(1);
        register(box, done);
        box.value++;
        while (done.getCount() > 0) {
            System.gc();
            Thread.sleep(1);
        }
    }

    private static void register(Suite.Box box, CountDownLatch done) {
        Cleaner.create().register(new Object(), () -> {
            cleaned(box);
            done.countDown();
        });
    }

    private static void cleaned(Suite.Box box) {
        box.value++;
    }

    @Suite.Racy
    static void writeAfterPipe(int n) throws Exception {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out);
        Suite.Box box = new Suite.Box();
        CountDownLatch end = new CountDownLatch(1);
        Suite.together(() -> {
            out.write(1);
            out.flush();
            box.value = 1;
            end.await();
            out.close();
        }, () -> {
            Suite.check(in.read() == 1);
            Suite.check(box.value >= 0);
            end.countDown();
        });
    }

    @Suite.Racy
    static void writeAfterVirtualStart(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Thread thread = Modern.virtual(() -> box.value++);
        box.value++;
        thread.join();
    }

    @Suite.Racy
    static void twoVirtualThreads(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch first = new CountDownLatch(1);
        Thread one = Modern.virtual(() -> Suite.quietly(() -> {
            box.value++;
            first.await();
        }));
        Thread other = Modern.virtual(() -> box.value++);
        other.join();
        first.countDown();
        one.join();
    }
}
