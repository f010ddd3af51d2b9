import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Spliterator;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.stream.StreamSupport;
import javax.management.NotificationEmitter;

/** Code of the program that the platform calls: under a lock of its own, or in a thread of its own. */
final class Callbacks {
    private static int few(int n) {
        return Math.min(n, 50);
    }

    /** Counts what is written. */
    static final class Sink extends OutputStream {
        int value;

        @Override
        public void write(int b) {
            value++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            value += length;
        }
    }

    static final class Text extends Writer {
        int value;

        @Override
        public void write(char[] characters, int from, int length) {
            value += length;
        }

        @Override
        public void flush() {
            value++;
        }

        @Override
        public void close() {}
    }

    @Suite.Safe
    static void printStreamOut(int n) throws Exception {
        Sink sink = new Sink();
        PrintStream out = new PrintStream(sink, true);
        Suite.Step step = i -> {
            out.println(i);
            out.write(i);
            out.print("text\n");
        };
        Suite.pair(n, step, step);
        Suite.check(sink.value > 0);
    }

    @Suite.Safe
    static void bufferedWriterOut(int n) throws Exception {
        Text text = new Text();
        BufferedWriter buffered = new BufferedWriter(text, 16);
        PrintWriter out = new PrintWriter(buffered, true);
        Suite.pair(n, i -> {
            buffered.write("a line of text");
            buffered.flush();
        }, i -> out.println(i));
        Suite.check(text.value > 0);
    }

    /** What a handler writes to; since JDK 24 formatters are called without its lock. */
    @Suite.Safe
    static void logHandler(int n) throws Exception {
        Sink sink = new Sink();
        StreamHandler handler = new StreamHandler(sink, new SimpleFormatter());
        Logger logger = Logger.getAnonymousLogger();
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        Suite.Step step = i -> {
            logger.info("text");
            if (i % 8 == 0) handler.flush();
        };
        Suite.pair(Math.min(n, 10000), step, step);
        handler.close();
        Suite.check(sink.value > 0);
    }

    @Suite.Safe
    static void comparatorUnderLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>(11, (a, b) -> {
            box.value++;
            return a - b;
        });
        Suite.pair(n, i -> queue.put(i), i -> {
            queue.put(-i);
            queue.take();
            queue.contains(3);
        });
    }

    private static final class Late implements Delayed {
        static int asked;

        @Override
        public long getDelay(TimeUnit unit) {
            asked++;
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            asked++;
            return 0;
        }
    }

    @Suite.Safe
    static void delayUnderLock(int n) throws Exception {
        DelayQueue<Late> queue = new DelayQueue<>();
        Suite.pair(n, i -> queue.put(new Late()), i -> {
            queue.take();
            if (i % 2 == 0) queue.offer(new Late());
        });
    }

    @Suite.Safe
    static void computedUnderLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Hashtable<Integer, Integer> table = new Hashtable<>();
        Suite.pair(n, i -> table.compute(i, (key, value) -> ++box.value), i -> {
            table.merge(i, 1, (a, b) -> ++box.value);
            if (i % 64 == 0) table.replaceAll((key, value) -> box.value++);
        });
    }

    @Suite.Safe
    static void forEachUnderLock(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Vector<Integer> vector = new Vector<>(List.of(1, 2));
        Suite.pair(n, i -> vector.forEach(element -> box.value++), i -> {
            if (i % 2 == 0) vector.replaceAll(element -> box.value++);
            else vector.removeIf(element -> ++box.value < 0);
        });
        Suite.Box other = new Suite.Box();
        List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        Suite.pair(n, i -> list.forEach(element -> other.value++), i -> list.removeIf(element -> ++other.value < 0));
        Suite.Box third = new Suite.Box();
        CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>(List.of(1, 2));
        Suite.pair(n, i -> copied.replaceAll(element -> third.value++), i -> copied.removeIf(element -> ++third.value < 0));
    }

    private static final class Letters implements CharSequence {
        int asked;

        @Override
        public int length() {
            asked++;
            return 1;
        }

        @Override
        public char charAt(int index) {
            asked++;
            return 'a';
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return this;
        }

        @Override
        public String toString() {
            return "a";
        }
    }

    @Suite.Safe
    static void charactersUnderLock(int n) throws Exception {
        Letters letters = new Letters();
        StringBuffer buffer = new StringBuffer();
        Suite.Step step = i -> {
            buffer.append(letters, 0, 1);
            buffer.setLength(0);
        };
        Suite.pair(n, step, step);
        Suite.check(letters.asked >= 2 * n);
    }

    /** Not capable of loading in parallel: its own monitor is held. */
    private static final class Loader extends ClassLoader {
        int found;

        Loader() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            found++;
            try (InputStream in = Callbacks.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                if (in == null) throw new ClassNotFoundException(name);
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Suite.Safe
    static void classLoaderLock(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Loader loader = new Loader();
            Suite.together(() -> {
                loader.loadClass("Suite");
                loader.loadClass("Callbacks");
            }, () -> {
                loader.loadClass("Callbacks$Sink");
                loader.loadClass("Suite");
            });
            Suite.check(loader.found > 0);
        }
    }

    /** Splits itself: each part belongs to one thread at a time. */
    private static final class Numbers implements Spliterator<Integer> {
        int from, to;
        int[] steps = new int[1];

        Numbers(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean tryAdvance(Consumer<? super Integer> action) {
            if (from >= to) return false;
            steps[0]++;
            action.accept(from++);
            return true;
        }

        @Override
        public Spliterator<Integer> trySplit() {
            int middle = (from + to) >>> 1;
            if (middle <= from) return null;
            Numbers first = new Numbers(from, middle);
            first.steps[0] = steps[0]++;
            from = middle;
            return first;
        }

        @Override
        public long estimateSize() {
            return to - from;
        }

        @Override
        public int characteristics() {
            return SIZED | SUBSIZED | ORDERED;
        }
    }

    @Suite.Safe
    static void splitInParallel(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            long sum = StreamSupport.stream(new Numbers(0, 500), true).mapToInt(number -> number).sum();
            Suite.check(sum == 499 * 250);
            List<Suite.Box> boxes = StreamSupport.stream(new Numbers(0, 100), true).map(number -> {
                Suite.Box box = new Suite.Box();
                box.value = number;
                return box;
            }).sorted((a, b) -> b.value - a.value).toList();
            for (Suite.Box box : boxes) box.value++;
        }
    }

    /** Hooks of a pool: at the end all has been done. */
    @Suite.Safe
    static void terminatedHook(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            Suite.Box[] parts = {new Suite.Box(), new Suite.Box(), new Suite.Box()};
            ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 3, 1, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), Suite.factory()) {
                @Override
                protected void terminated() {
                    for (Suite.Box part : parts) box.value += part.value;
                }
            };
            for (Suite.Box part : parts) pool.execute(() -> part.value++);
            pool.shutdown();
            Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
            Suite.check(box.value == 3);
        }
    }

    /** A worker's own hooks, and what its tasks do. */
    @Suite.Safe
    static void workerHooks(int n) throws Exception {
        class Worker extends ForkJoinWorkerThread {
            int started;

            Worker(ForkJoinPool pool) {
                super(pool);
                started = 1;
            }

            @Override
            protected void onStart() {
                super.onStart();
                started++;
            }
        }
        for (int i = 0; i < few(n); i++) {
            ForkJoinPool pool = new ForkJoinPool(2, Worker::new, null, true);
            AtomicInteger wrong = new AtomicInteger();
            for (int j = 0; j < 5; j++) pool.execute(() -> {
                if (((Worker) Thread.currentThread()).started++ < 2) wrong.incrementAndGet();
            });
            pool.shutdown();
            Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS) && wrong.get() == 0);
        }
    }

    /** The finaliser comes after the constructor. */
    private static final class Finalised {
        private final CountDownLatch done;
        int value;
        int[] cells;

        Finalised(CountDownLatch done, int value) {
            this.done = done;
            this.value = value;
            cells = new int[] {value};
        }

        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            value++;
            cells[0]++;
            done.countDown();
        }
    }

    @Suite.Safe
    static void finaliser(int n) throws Exception {
        CountDownLatch done = new CountDownLatch(20);
        Suite.together(() -> {
            for (int i = 0; i < 20; i++) new Finalised(done, i);
        });
        while (done.getCount() > 0) {
            System.gc();
            Thread.sleep(1);
        }
    }

    @Suite.Safe
    static void collectorNotification(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        CountDownLatch done = new CountDownLatch(3);
        for (Object bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            Suite.Box own = new Suite.Box();
            own.value = 7;
            ((NotificationEmitter) bean).addNotificationListener((notification, given) -> {
                Suite.Box handed = (Suite.Box) given;
                handed.value++;
                own.value++;
                done.countDown();
            }, null, own);
        }
        while (done.getCount() > 0) {
            System.gc();
            Thread.sleep(1);
        }
        Suite.check(box.value == 0);
    }

    @Suite.Safe
    static void signalHandler(int n) throws Exception {
        Class<?> type = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object signal = type.getConstructor(String.class).newInstance("USR2");
        Method handle = type.getMethod("handle", type, handler);
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            CountDownLatch done = new CountDownLatch(1);
            box.value = 3;
            handle.invoke(null, signal, Proxy.newProxyInstance(Callbacks.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                if (!method.getName().equals("handle")) return 0;
                box.value++;
                done.countDown();
                return null;
            }));
            type.getMethod("raise", type).invoke(null, signal);
            done.await();
            Suite.check(box.value++ == 4);
        }
    }
}
