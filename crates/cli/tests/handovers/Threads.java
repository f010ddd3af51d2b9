import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;

/** Hand-over by the language itself and by java.lang and java.io. */
final class Threads {
    /** Starting a thread takes long beside handing over. */
    private static int few(int n) {
        return Math.max(2, n / 20);
    }

    @Suite.Safe
    static void startAndJoin(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            box.value++;
            Thread thread = Suite.thread(() -> {
                box.value++;
                box.cells[0]++;
            });
            thread.start();
            if ((i & 1) == 0) thread.join();
            else thread.join(20_000);
            Suite.check(box.value == 2 * i + 2 && box.cells[0] == i + 1);
        }
    }

    @Suite.Safe
    static void isAlive(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = Suite.thread(() -> box.value++);
            thread.start();
            if ((i & 1) == 0) Suite.until(() -> !thread.isAlive());
            else Suite.until(() -> thread.getState() == Thread.State.TERMINATED);
            Suite.check(box.value == i + 1);
        }
    }

    @Suite.Safe
    static void interrupt(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            boolean sleeps = (i & 1) == 0;
            Thread thread = Suite.thread(() -> {
                if (sleeps) {
                    try {
                        Thread.sleep(20_000);
                    } catch (InterruptedException e) {
                        box.value++;
                    }
                } else {
                    Suite.until(() -> Thread.currentThread().isInterrupted());
                    box.value++;
                }
            });
            thread.start();
            box.value++;
            thread.interrupt();
            thread.join();
            Suite.check(box.value == 2 * i + 2);
        }
    }

    @Suite.Safe
    static void interruptedWait(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            boolean queue = (i & 1) == 0;
            Thread thread = Suite.thread(() -> {
                Object lock = new Object();
                try {
                    if (queue) new SynchronousQueue<>().take();
                    synchronized (lock) {
                        while (true) lock.wait();
                    }
                } catch (InterruptedException e) {
                    box.value++;
                }
            });
            thread.start();
            box.value++;
            thread.interrupt();
            thread.join();
            Suite.check(box.value == 2 * i + 2);
        }
    }

    @Suite.Safe
    static void uncaughtHandler(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            Thread thread = new Thread(() -> {
                box.value++;
                throw new IllegalStateException();
            }, "uncaughtHandler");
            box.value++;
            thread.setUncaughtExceptionHandler((dead, e) -> box.value++);
            thread.start();
            thread.join();
            Suite.check(box.value == 3 * i + 3);
        }
    }

    @Suite.Safe
    static void threadLocals(int n) throws Exception {
        ThreadLocal<Suite.Box> own = ThreadLocal.withInitial(Suite.Box::new);
        Suite.Step step = i -> Suite.check(++own.get().value == i + 1);
        Suite.pair(n, step, step);
        InheritableThreadLocal<Suite.Box> inherited = new InheritableThreadLocal<>();
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            inherited.set(box);
            int expected = i;
            Suite.together(() -> Suite.check(inherited.get().value++ == expected));
            Suite.check(box.value == i + 1);
        }
    }

    private static class Holder {
        static final Suite.Box BOX = new Suite.Box();
        static int plain = 5;

        static {
            BOX.value = 42;
            BOX.cells[0] = 42;
        }
    }

    private enum Single {
        ONE;

        int value = 3;
    }

    @Suite.Safe
    static void classInitialisation(int n) throws Exception {
        Suite.Body read = () -> {
            for (int i = 0; i < n; i++) Suite.check(Holder.BOX.value == Holder.BOX.cells[0] && Holder.plain == 5 && Single.ONE.value == 3);
        };
        Suite.together(read, read, read);
    }

    private static final class Frozen {
        final int number;
        final int[] cells;

        Frozen(int number) {
            this.number = number;
            cells = new int[] {number};
        }
    }

    /** Final fields may be read by whoever finds the object, however it was found. */
    @Suite.Safe
    static void finalFields(int n) throws Exception {
        ConcurrentLinkedQueue<Frozen> queue = new ConcurrentLinkedQueue<>();
        Suite.pair(n, i -> queue.add(new Frozen(i)), i -> {
            Suite.until(() -> !queue.isEmpty());
            Frozen frozen = queue.poll();
            Suite.check(frozen.cells[0] == frozen.number);
        });
    }

    private static volatile Suite.Box single;

    @Suite.Safe
    static void doubleChecked(int n) throws Exception {
        Object lock = new Object();
        Suite.Step step = i -> {
            if (i % 10 == 0) single = null;
            Suite.Box box = single;
            if (box == null) {
                synchronized (lock) {
                    box = single;
                    if (box == null) {
                        box = new Suite.Box();
                        box.value = 8;
                        single = box;
                    }
                }
            }
            Suite.check(box.value == 8);
        };
        Suite.pair(n, step, step);
    }

    @Suite.Safe
    static void cleaner(int n) throws Exception {
        Cleaner cleaner = Cleaner.create();
        int rounds = Math.min(20, few(n));
        Suite.Box[] states = new Suite.Box[rounds];
        CountDownLatch done = new CountDownLatch(rounds);
        register(cleaner, states, done);
        while (done.getCount() > 0) {
            System.gc();
            Thread.sleep(1);
        }
        done.await();
        for (Suite.Box state : states) Suite.check(state.value == 2);
        Suite.Box state = new Suite.Box();
        Object owner = new Object();
        Cleaner.Cleanable explicit = cleaner.register(owner, () -> state.value++);
        Suite.together(explicit::clean);
        Suite.check(state.value == 1);
        Reference.reachabilityFence(owner);
    }

    private static void register(Cleaner cleaner, Suite.Box[] states, CountDownLatch done) {
        for (int i = 0; i < states.length; i++) {
            Suite.Box state = new Suite.Box();
            state.value = 1;
            states[i] = state;
            cleaner.register(new Object(), () -> {
                state.value++;
                done.countDown();
            });
        }
    }

    /** A reference that carries state from who made it to who takes it off the queue. */
    private static final class Tracked extends PhantomReference<Object> {
        int state;

        Tracked(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
            state = 1;
        }
    }

    @Suite.Safe
    static void referenceQueue(int n) throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<Reference<?>> kept = new ArrayList<>();
        int rounds = Math.min(20, few(n));
        for (int i = 0; i < rounds; i++) kept.add(new Tracked(new Object(), queue));
        Suite.together(() -> {
            for (int i = 0; i < rounds; i++) {
                Tracked tracked = null;
                while (tracked == null) {
                    tracked = (Tracked) queue.remove(1);
                    if (tracked == null) System.gc();
                }
                Suite.check(tracked.state++ == 1);
            }
        });
        Suite.check(kept.size() == rounds);
    }

    /** What was done before a reference was enqueued by hand. */
    @Suite.Safe
    static void enqueuedByHand(int n) throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object referent = new Object();
        Tracked[] all = new Tracked[n];
        for (int i = 0; i < n; i++) all[i] = new Tracked(referent, queue);
        Suite.pair(n, i -> {
            all[i].state = i;
            all[i].enqueue();
        }, i -> {
            Tracked tracked = (Tracked) queue.remove();
            Suite.check(tracked.state++ >= 0);
        });
    }

    @Suite.Safe
    static void weakReferenceHandedOver(int n) throws Exception {
        Suite.Box[] kept = new Suite.Box[n];
        ConcurrentLinkedQueue<WeakReference<Suite.Box>> queue = new ConcurrentLinkedQueue<>();
        Suite.pair(n, i -> {
            kept[i] = new Suite.Box();
            kept[i].value = i;
            queue.add(new WeakReference<>(kept[i]));
        }, i -> {
            Suite.until(() -> !queue.isEmpty());
            Suite.check(queue.poll().get().value++ == i);
        });
    }

    @Suite.Safe
    static void pipedStreams(int n) throws Exception {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out);
        Suite.Box[] boxes = new Suite.Box[Math.min(n, 5000)];
        Suite.together(() -> {
            for (int i = 0; i < boxes.length; i++) {
                boxes[i] = new Suite.Box();
                boxes[i].value = i;
                out.write(i);
                if (i % 16 == 0) out.flush();
            }
            out.close();
        }, () -> {
            for (int i = 0; i < boxes.length; i++) {
                Suite.check(in.read() == (i & 255));
                Suite.check(boxes[i].value == i);
            }
        });
    }

    @Suite.Safe
    static void pipedCharacters(int n) throws Exception {
        PipedWriter out = new PipedWriter();
        PipedReader in = new PipedReader(out);
        Suite.Box[] boxes = new Suite.Box[Math.min(n, 5000)];
        Suite.together(() -> {
            for (int i = 0; i < boxes.length; i++) {
                boxes[i] = new Suite.Box();
                boxes[i].value = i;
                out.write('a');
                if (i % 16 == 0) out.flush();
            }
            out.close();
        }, () -> {
            for (int i = 0; i < boxes.length; i++) {
                Suite.check(in.read() == 'a');
                Suite.check(boxes[i].value == i);
            }
        });
    }

    @Suite.Safe
    static void virtualStartAndJoin(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        for (int i = 0; i < few(n); i++) {
            box.value++;
            Thread thread = Modern.virtual(() -> box.value++);
            thread.join();
            Suite.check(box.value == 2 * i + 2);
        }
    }

    @Suite.Safe
    static void virtualHandOver(int n) throws Exception {
        SynchronousQueue<Suite.Box> queue = new SynchronousQueue<>();
        ConcurrentLinkedQueue<Suite.Box> back = new ConcurrentLinkedQueue<>();
        Thread thread = Modern.virtual(() -> Suite.quietly(() -> {
            for (int i = 0; i < few(n); i++) {
                Suite.Box box = queue.take();
                box.value++;
                back.add(box);
            }
        }));
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            queue.put(box);
            Suite.check(Suite.poll(back::poll).value++ == i + 1);
        }
        thread.join();
    }

    @Suite.Safe
    static void virtualLocks(int n) throws Exception {
        Object lock = new Object();
        Suite.Box box = new Suite.Box();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            threads.add(Modern.virtual(() -> {
                for (int i = 0; i < n / 8; i++) {
                    synchronized (lock) {
                        box.value++;
                    }
                    if (i % 16 == 0) Thread.yield();
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        Suite.check(box.value == n / 8 * 8);
    }

    @Suite.Safe
    static void virtualExecutor(int n) throws Exception {
        ExecutorService pool;
        try {
            pool = (ExecutorService) java.util.concurrent.Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException(e);
        }
        for (int i = 0; i < few(n); i++) {
            Suite.Box box = new Suite.Box();
            box.value = i;
            Future<?> future = pool.submit(() -> box.value++);
            future.get();
            Suite.check(box.value == i + 1);
        }
        pool.shutdown();
    }
}
