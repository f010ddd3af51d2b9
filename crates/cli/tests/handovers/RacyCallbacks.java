import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import javax.management.NotificationEmitter;

/** The twins of {@link Callbacks}. */
final class RacyCallbacks {
    private static final class Sink extends OutputStream {
        int value;

        @Override
        public void write(int b) {
            value++;
        }
    }

    /** Each stream has a lock of its own. */
    @Suite.Racy
    static void twoStreamsOnOneSink(int n) throws Exception {
        Sink sink = new Sink();
        PrintStream first = new PrintStream(sink, true), second = new PrintStream(sink, true);
        Suite.pair(n, i -> first.println(i), i -> second.println(i));
    }

    @Suite.Racy
    static void twoHandlersOnOneSink(int n) throws Exception {
        Callbacks.Sink sink = new Callbacks.Sink();
        StreamHandler[] handlers = {new StreamHandler(sink, new SimpleFormatter()), new StreamHandler(sink, new SimpleFormatter())};
        Logger[] loggers = {Logger.getAnonymousLogger(), Logger.getAnonymousLogger()};
        for (int i = 0; i < 2; i++) {
            loggers[i].setUseParentHandlers(false);
            loggers[i].addHandler(handlers[i]);
        }
        Suite.pair(n, i -> {
            loggers[0].info("text");
            handlers[0].flush();
        }, i -> {
            loggers[1].info("text");
            handlers[1].flush();
        });
    }

    @Suite.Racy
    static void comparatorOfTwoQueues(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        PriorityBlockingQueue<Integer> first = new PriorityBlockingQueue<>(11, (a, b) -> a - b + 0 * box.value++);
        PriorityBlockingQueue<Integer> second = new PriorityBlockingQueue<>(11, first.comparator());
        Suite.pair(n, i -> first.put(i), i -> second.put(i));
    }

    @Suite.Racy
    static void computedInTwoTables(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Hashtable<Integer, Integer> first = new Hashtable<>(), second = new Hashtable<>();
        Suite.pair(n, i -> first.compute(i, (key, value) -> ++box.value), i -> second.compute(i, (key, value) -> ++box.value));
    }

    /** Classes of different names have different locks. */
    private static final class Parallel extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final CyclicBarrier barrier = new CyclicBarrier(2);
        int value;

        Parallel() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = RacyCallbacks.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                Suite.meet(barrier);
                value++;
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Suite.Racy
    static void parallelLoader(int n) throws Exception {
        for (int i = 0; i < 5; i++) {
            Parallel loader = new Parallel();
            Suite.together(() -> loader.loadClass("Queues"), () -> loader.loadClass("Locks"));
        }
    }

    @Suite.Racy
    static void writeAfterListening(int n) throws Exception {
        for (int i = 0; i < 3; i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch done = new CountDownLatch(1);
            for (Object bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) bean).addNotificationListener((notification, given) -> {
                    box.value++;
                    done.countDown();
                }, null, null);
            }
            box.value++;
            System.gc();
            done.await();
        }
    }

    @Suite.Racy
    static void writeAfterHandling(int n) throws Exception {
        Class<?> type = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object signal = type.getConstructor(String.class).newInstance("USR2");
        Method handle = type.getMethod("handle", type, handler);
        Suite.Box box = new Suite.Box();
        CountDownLatch done = new CountDownLatch(1);
        handle.invoke(null, signal, Proxy.newProxyInstance(RacyCallbacks.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
            if (!method.getName().equals("handle")) return 0;
            box.value++;
            done.countDown();
            return null;
        }));
        type.getMethod("raise", type).invoke(null, signal);
        box.value++;
        done.await();
    }
}
