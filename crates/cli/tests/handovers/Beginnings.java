import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Class initialisation in all its forms, and virtual threads in monitors. */
final class Beginnings {
    private static int few(int n) {
        return Math.min(n, 50);
    }

    /** A new definition of the classes whose names begin so. */
    private static final class Fresh extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        Fresh() {
            super(Beginnings.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Beginnings$Fresh") || name.equals("Beginnings$Fresh")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static final class FreshBox {
        int value;

        static FreshBox five() {
            FreshBox box = new FreshBox();
            box.value = 5;
            return box;
        }
    }

    public static class FreshBase {
        static int plain;
        static final FreshBox BOX = new FreshBox();
        static int[] cells;

        static {
            plain = 5;
            BOX.value = 5;
            cells = new int[] {5};
        }
    }

    public static class FreshDerived extends FreshBase implements Callable<Integer> {
        static int own = plain;

        @Override
        public Integer call() {
            return own + plain + BOX.value + cells[0];
        }
    }

    public interface FreshConstants {
        FreshBox BOX = FreshBox.five();
        int[] CELLS = {5, 5};

        default int sum() {
            return BOX.value + CELLS[0];
        }
    }

    public static final class FreshImplementor implements FreshConstants, Callable<Integer> {
        static int five = 5;

        @Override
        public Integer call() {
            return sum() + five + CELLS[1];
        }
    }

    /** Whoever comes first initialises. */
    @SuppressWarnings("unchecked")
    private static void initialisedBy(int n, String name, int expected) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Fresh loader = new Fresh();
            CyclicBarrier barrier = new CyclicBarrier(2);
            Suite.Body use = () -> {
                Class<?> type = loader.loadClass("Beginnings$" + name);
                barrier.await();
                Callable<Integer> call = (Callable<Integer>) type.getConstructor().newInstance();
                Suite.check(call.call() == expected);
            };
            Suite.together(use, use);
        }
    }

    @Suite.Safe
    static void initialisedSuperclass(int n) throws Exception {
        initialisedBy(n, "FreshDerived", 20);
    }

    @Suite.Safe
    static void initialisedInterface(int n) throws Exception {
        initialisedBy(n, "FreshImplementor", 20);
    }

    public static final class FreshByHandle {
        static int plain = 3;
        static int[] cells = {3};

        static int sum() {
            return plain + cells[0];
        }
    }

    /** By handles, reflection, and what asks for it. */
    @Suite.Safe
    static void initialisedByHandle(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Class<?> type = new Fresh().loadClass("Beginnings$FreshByHandle");
            Field plain = type.getDeclaredField("plain");
            plain.setAccessible(true);
            Method sum = type.getDeclaredMethod("sum");
            sum.setAccessible(true);
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            MethodHandle getter = lookup.findStaticGetter(type, "plain", int.class);
            MethodHandle call = lookup.unreflect(sum);
            CyclicBarrier barrier = new CyclicBarrier(4);
            Suite.together(() -> {
                barrier.await();
                Suite.check((int) sum.invoke(null) == 6);
            }, () -> {
                barrier.await();
                try {
                    Suite.check((int) getter.invokeExact() == 3 && (int) call.invokeExact() == 6);
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            }, () -> {
                barrier.await();
                lookup.ensureInitialized(type);
                Suite.check((int) sum.invoke(null) == 6);
            }, () -> {
                barrier.await();
                Class.forName(type.getName(), true, type.getClassLoader());
                Suite.check((int) sum.invoke(null) == 6);
            });
        }
    }

    public static final class FreshBroken implements Callable<Integer> {
        static {
            FreshShared.value = 4;
            if (FreshShared.value == 4) throw new IllegalStateException();
        }

        @Override
        public Integer call() {
            return 0;
        }
    }

    public static final class FreshShared {
        static int value;
    }

    /** An initialisation that fails is over, too. */
    @Suite.Safe
    static void failedInitialisation(int n) throws Exception {
        for (int i = 0; i < few(n); i++) {
            Fresh loader = new Fresh();
            Class<?> shared = loader.loadClass("Beginnings$FreshShared");
            CyclicBarrier barrier = new CyclicBarrier(2);
            Suite.Body use = () -> {
                Class<?> type = loader.loadClass("Beginnings$FreshBroken");
                barrier.await();
                try {
                    type.getConstructor().newInstance();
                    Suite.check(false);
                } catch (LinkageError e) {
                    Field value = shared.getDeclaredField("value");
                    value.setAccessible(true);
                    Suite.check(value.getInt(null) == 4);
                }
            };
            Suite.together(use, use);
        }
    }

    public static final class FreshCounter implements Callable<Integer> {
        static int count;
        static int[] cells = new int[1];

        @Override
        public Integer call() {
            cells[0]++;
            return count++;
        }
    }

    /** Each thread has a class of its own, of one name. */
    @Suite.Safe
    @SuppressWarnings("unchecked")
    static void classesOfOneName(int n) throws Exception {
        Suite.Body use = () -> {
            Callable<Integer> call = (Callable<Integer>) new Fresh().loadClass("Beginnings$FreshCounter").getConstructor().newInstance();
            for (int i = 0; i < n; i++) Suite.check(call.call() == i);
        };
        Suite.together(use, use, use);
    }

    /** Virtual threads that wait in monitors: since JDK 24 they give their carrier back meanwhile. */
    @Suite.Safe
    static void virtualWaits(int n) throws Exception {
        Object lock = new Object();
        int[] turn = {0};
        Suite.Box box = new Suite.Box();
        Suite.Body[] bodies = new Suite.Body[4];
        for (int t = 0; t < 4; t++) {
            int own = t;
            bodies[t] = () -> {
                for (int i = 0; i < Math.min(n, 2000); i++) {
                    synchronized (lock) {
                        while (turn[0] != own) {
                            if (i % 7 == 0) lock.wait(1);
                            else lock.wait();
                        }
                        box.value++;
                        if (i % 16 == 0) Thread.sleep(0, 1000);
                        turn[0] = (own + 1) % 4;
                        lock.notifyAll();
                    }
                }
            };
        }
        Modern.virtually(bodies);
        Suite.check(box.value == 4 * Math.min(n, 2000));
    }

    /** Monitors that are held while a virtual thread is parked, entered again and left by exceptions. */
    @Suite.Safe
    static void virtualParksUnderLock(int n) throws Exception {
        // From JDK 24 on such threads leave their carrier, and under the agent that brings the JVM down now and then (docs/running.md).
        if (Runtime.version().feature() >= 24) return;
        Object lock = new Object();
        Object other = new Object();
        Suite.Box box = new Suite.Box();
        Suite.Body body = () -> {
            for (int i = 0; i < Math.min(n, 1000); i++) {
                try {
                    synchronized (lock) {
                        box.value++;
                        synchronized (other) {
                            LockSupport.parkNanos(1000);
                            box.value++;
                            if (i % 3 == 0) throw new IllegalStateException();
                        }
                        Thread.yield();
                        box.value++;
                    }
                } catch (IllegalStateException e) {
                    synchronized (other) {
                        synchronized (new Object()) {
                            Thread.yield();
                        }
                    }
                }
            }
        };
        Modern.virtually(body, body, body, body, body);
    }

    /** Whoever comes first initialises, on a carrier or off. */
    @Suite.Safe
    @SuppressWarnings("unchecked")
    static void virtualInitialisation(int n) throws Exception {
        for (int i = 0; i < Math.min(n, 10); i++) {
            Fresh loader = new Fresh();
            Suite.Body use = () -> {
                Class<?> type = loader.loadClass("Beginnings$FreshDerived");
                Suite.check(((Callable<Integer>) type.getConstructor().newInstance()).call() == 20);
            };
            Modern.virtually(use, use, use, use, use, use);
        }
    }

    /** Thousands of threads, one after the other and at the same time. */
    @Suite.Safe
    static void virtualThousands(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger next = new AtomicInteger();
        Suite.Body[] bodies = new Suite.Body[2000];
        for (int t = 0; t < bodies.length; t++) {
            int own = t;
            bodies[t] = () -> {
                while (next.get() != own) Thread.sleep(1);
                box.value++;
                next.set(own + 1);
            };
        }
        Modern.virtually(bodies);
        Suite.check(box.value == bodies.length);
    }

    @Suite.Safe
    static void virtualMeetings(int n) throws Exception {
        SynchronousQueue<Suite.Box> queue = new SynchronousQueue<>(true);
        Phaser phaser = new Phaser(2);
        Suite.Box shared = new Suite.Box();
        int rounds = Math.min(n, 1000);
        Modern.virtually(() -> {
            for (int i = 0; i < rounds; i++) {
                Suite.Box box = new Suite.Box();
                box.value = i;
                queue.put(box);
                phaser.arriveAndAwaitAdvance();
                shared.value += box.value;
                phaser.arriveAndAwaitAdvance();
            }
        }, () -> {
            for (int i = 0; i < rounds; i++) {
                Suite.Box box = queue.take();
                box.value++;
                shared.value++;
                phaser.arriveAndAwaitAdvance();
                phaser.arriveAndAwaitAdvance();
            }
        });
    }

    @Suite.Safe
    static void virtualInterrupts(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            int way = i % 3;
            Thread thread = Modern.virtual(() -> {
                try {
                    if (way == 0) Thread.sleep(20_000);
                    if (way == 1) {
                        synchronized (new Object()) {
                            new CountDownLatch(1).await();
                        }
                    }
                    while (!Thread.interrupted()) LockSupport.park();
                } catch (InterruptedException e) {
                    // so it is
                }
                box.value++;
            });
            box.value++;
            thread.interrupt();
            thread.join();
            box.value++;
        }
    }

    /** A pool that schedules by itself, since JDK 25. */
    @Suite.Safe
    static void forkJoinSchedule(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        if (!((Object) pool instanceof ScheduledExecutorService scheduled)) throw new UnsupportedOperationException();
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = 1;
            Future<Integer> future = scheduled.schedule(() -> ++box.value, 100, TimeUnit.MICROSECONDS);
            Suite.check(future.get() == 2 && box.value == 2);
            CountDownLatch times = new CountDownLatch(3);
            Future<?> repeated = scheduled.scheduleWithFixedDelay(() -> {
                box.value++;
                times.countDown();
            }, 10, 10, TimeUnit.MICROSECONDS);
            times.await();
            repeated.cancel(false);
        }
        pool.shutdownNow();
    }

    /** What a scope binds is handed to what runs in it. */
    @Suite.Safe
    static void scopedValue(int n) throws Exception {
        Class<?> type;
        try {
            type = Class.forName("java.lang.ScopedValue");
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException(e);
        }
        Object key = type.getMethod("newInstance").invoke(null);
        Method where;
        try {
            where = type.getMethod("where", type, Object.class);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Object carrier;
            try {
                carrier = where.invoke(null, key, box);
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw new UnsupportedOperationException(e);
            }
            Suite.Body body = () -> {
                Method run = Class.forName("java.lang.ScopedValue$Carrier").getMethod("run", Runnable.class);
                Method get = type.getMethod("get");
                run.invoke(carrier, (Runnable) () -> Suite.quietly(() -> ((Suite.Box) get.invoke(key)).value++));
            };
            Modern.virtually(body);
            body.run();
            Suite.together(body);
        }
        Suite.check(box.value == 3 * few(n));
    }

    /** Memory outside of the heap: what is written there with an order hands over. */
    @Suite.Safe
    static void memorySegment(int n) throws Exception {
        VarHandle handle;
        Object segment;
        try {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Object shared = arena.getMethod("ofAuto").invoke(null);
            segment = arena.getMethod("allocate", long.class, long.class).invoke(shared, 8L, 8L);
            Class<?> layout = Class.forName("java.lang.foreign.ValueLayout");
            Object ofInt = layout.getField("JAVA_INT").get(null);
            handle = (VarHandle) Class.forName("java.lang.foreign.ValueLayout").getMethod("varHandle").invoke(ofInt);
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
        Object memory = segment;
        Suite.turns(Math.min(n, 5000), new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> (int) handle.getAcquire(memory, 0L) == number);
            }

            @Override
            public void pass(int number) {
                handle.setRelease(memory, 0L, number);
            }
        });
    }
}
