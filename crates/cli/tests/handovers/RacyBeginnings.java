import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The twins of {@link Beginnings}. */
final class RacyBeginnings {
    /** A wait that ends by itself, on a lock that the other has not. */
    @Suite.Racy
    static void virtualWaitsOfEach(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Suite.Body body = () -> {
            Object lock = new Object();
            for (int i = 0; i < 20; i++) {
                synchronized (lock) {
                    lock.wait(1);
                    box.value++;
                }
            }
        };
        Modern.virtually(body, body);
    }

    @Suite.Racy
    static void virtualSleepers(int n) throws Exception {
        for (int i = 0; i < 3; i++) {
            Suite.Box box = new Suite.Box();
            Modern.virtually(() -> box.value++, () -> {
                Thread.sleep(20);
                box.value++;
            });
        }
    }

    @Suite.Racy
    static void writeAfterForkJoinSchedule(int n) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        if (!((Object) pool instanceof ScheduledExecutorService scheduled)) throw new UnsupportedOperationException();
        for (int i = 0; i < 5; i++) {
            Suite.Box box = new Suite.Box();
            Future<?> future = scheduled.schedule(() -> box.value++, 100, TimeUnit.MICROSECONDS);
            box.value++;
            future.get();
        }
        pool.shutdownNow();
    }

    /** What a scope binds is shared by all that run in it. */
    @Suite.Racy
    static void scopedValueShared(int n) throws Exception {
        Method where;
        Class<?> type;
        try {
            type = Class.forName("java.lang.ScopedValue");
            where = type.getMethod("where", type, Object.class);
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
        Object key = type.getMethod("newInstance").invoke(null);
        Object carrier = where.invoke(null, key, new Suite.Box());
        Method run = Class.forName("java.lang.ScopedValue$Carrier").getMethod("run", Runnable.class);
        Method get = type.getMethod("get");
        Suite.Body body = () -> run.invoke(carrier, (Runnable) () -> Suite.quietly(() -> {
            for (int i = 0; i < 50; i++) ((Suite.Box) get.invoke(key)).value++;
        }));
        Modern.virtually(body, body);
    }

    /** Opaque accesses to memory outside of the heap order nothing. */
    @Suite.Racy
    static void memorySegmentOpaque(int n) throws Exception {
        VarHandle handle;
        Object memory;
        try {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            memory = arena.getMethod("allocate", long.class, long.class).invoke(arena.getMethod("ofAuto").invoke(null), 8L, 8L);
            Class<?> layout = Class.forName("java.lang.foreign.ValueLayout");
            handle = (VarHandle) layout.getMethod("varHandle").invoke(layout.getField("JAVA_INT").get(null));
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            box.value++;
            handle.setOpaque(memory, 0L, 1);
        }, () -> {
            Suite.until(() -> (int) handle.getOpaque(memory, 0L) == 1);
            box.value++;
        });
    }
}
