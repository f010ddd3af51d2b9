import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Locks, queues, barriers and executors that a program makes itself. */
final class Homemade {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Suite.Box[].class);

    @Suite.Safe
    static void spinLock(int n) throws Exception {
        AtomicBoolean held = new AtomicBoolean();
        Suite.sections(n, body -> {
            Suite.until(() -> !held.get() && held.compareAndSet(false, true));
            body.run();
            held.setRelease(false);
        });
    }

    @Suite.Safe
    static void ticketLock(int n) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger serving = new AtomicInteger();
        Suite.sections(n, body -> {
            int mine = next.getAndIncrement();
            Suite.until(() -> serving.getAcquire() == mine);
            body.run();
            serving.setRelease(mine + 1);
        });
    }

    /** A queue of waiting threads, each of which spins on the node of the one before it. */
    @Suite.Safe
    static void queueLock(int n) throws Exception {
        AtomicReference<AtomicBoolean> tail = new AtomicReference<>(new AtomicBoolean());
        Suite.sections(n, body -> {
            AtomicBoolean mine = new AtomicBoolean(true);
            AtomicBoolean before = tail.getAndSet(mine);
            Suite.until(() -> !before.get());
            body.run();
            mine.set(false);
        });
    }

    /** Two flags and whose turn it is. */
    @Suite.Safe
    static void peterson(int n) throws Exception {
        AtomicIntegerArray wants = new AtomicIntegerArray(2);
        AtomicInteger turn = new AtomicInteger();
        Suite.Box box = new Suite.Box();
        Side side = me -> {
            wants.set(me, 1);
            turn.set(1 - me);
            Suite.until(() -> wants.get(1 - me) == 0 || turn.get() == me);
            box.value++;
            box.cells[1]++;
            wants.set(me, 0);
        };
        Suite.pair(few(n), i -> side.enter(0), i -> side.enter(1));
        Suite.check(box.value == 2 * few(n) && box.cells[1] == box.value);
    }

    private interface Side {
        void enter(int me);
    }

    /** Two plain volatile fields; one of the threads steps back if both want. */
    @Suite.Safe
    static void dekker(int n) throws Exception {
        Wishes wishes = new Wishes();
        Suite.Box box = new Suite.Box();
        Suite.pair(few(n), i -> {
            wishes.first = true;
            Suite.until(() -> !wishes.second);
            box.value++;
            wishes.first = false;
        }, i -> {
            for (wishes.second = true; wishes.first; wishes.second = true) {
                wishes.second = false;
                Suite.until(() -> !wishes.first);
            }
            box.value++;
            wishes.second = false;
        });
        Suite.check(box.value == 2 * few(n));
    }

    private static final class Wishes {
        volatile boolean first;
        volatile boolean second;
    }

    /** A lock that its owner may take again. */
    @Suite.Safe
    static void reentrantSpinLock(int n) throws Exception {
        Reentrant lock = new Reentrant();
        Suite.sections(n, body -> {
            lock.enter();
            lock.enter();
            body.run();
            lock.leave();
            lock.leave();
        });
    }

    private static final class Reentrant {
        private final AtomicReference<Thread> owner = new AtomicReference<>();
        private int depth;

        void enter() {
            Thread me = Thread.currentThread();
            if (owner.get() != me) Suite.until(() -> owner.compareAndSet(null, me));
            depth++;
        }

        void leave() {
            if (--depth == 0) owner.set(null);
        }
    }

    /** Waiters park and are woken up one by one. */
    @Suite.Safe
    static void parkingLock(int n) throws Exception {
        AtomicBoolean held = new AtomicBoolean();
        java.util.Queue<Thread> waiters = new java.util.concurrent.ConcurrentLinkedQueue<>();
        Suite.sections(n, body -> {
            waiters.add(Thread.currentThread());
            while (waiters.peek() != Thread.currentThread() || !held.compareAndSet(false, true)) LockSupport.parkNanos(100_000);
            waiters.remove();
            body.run();
            held.set(false);
            LockSupport.unpark(waiters.peek());
        });
    }

    /** Readers count themselves; a writer makes the count negative. */
    @Suite.Safe
    static void countingReaders(int n) throws Exception {
        AtomicInteger users = new AtomicInteger();
        Suite.Box box = new Suite.Box();
        Suite.Body reads = () -> {
            for (int i = 0; i < n; i++) {
                Suite.until(() -> {
                    int seen = users.get();
                    return seen >= 0 && users.compareAndSet(seen, seen + 1);
                });
                Suite.check(box.value == box.cells[0]);
                users.decrementAndGet();
            }
        };
        Suite.together(reads, reads, () -> {
            for (int i = 0; i < n; i++) {
                Suite.until(() -> users.compareAndSet(0, -1));
                box.value++;
                box.cells[0]++;
                users.set(0);
            }
        });
    }

    private static final class Node {
        final Suite.Box box;
        Node next;

        Node(Suite.Box box) {
            this.box = box;
        }
    }

    /** A stack of nodes whose links are plain: the compare-and-set of the top orders them. */
    @Suite.Safe
    static void treiberStack(int n) throws Exception {
        AtomicReference<Node> top = new AtomicReference<>();
        Suite.stream(n, box -> {
            Node node = new Node(box);
            do {
                node.next = top.get();
            } while (!top.compareAndSet(node.next, node));
        }, () -> Suite.poll(() -> {
            Node node = top.get();
            return node != null && top.compareAndSet(node, node.next) ? node.box : null;
        }));
    }

    private static final class Link {
        final Suite.Box box;
        final AtomicReference<Link> next = new AtomicReference<>();

        Link(Suite.Box box) {
            this.box = box;
        }
    }

    /** A linked queue with a dummy node, after Michael and Scott. */
    @Suite.Safe
    static void linkedQueue(int n) throws Exception {
        Link dummy = new Link(null);
        AtomicReference<Link> head = new AtomicReference<>(dummy);
        AtomicReference<Link> tail = new AtomicReference<>(dummy);
        Suite.stream(n, box -> {
            Link link = new Link(box);
            while (true) {
                Link last = tail.get();
                Link next = last.next.get();
                if (next != null) {
                    tail.compareAndSet(last, next);
                } else if (last.next.compareAndSet(null, link)) {
                    tail.compareAndSet(last, link);
                    return;
                }
            }
        }, () -> Suite.poll(() -> {
            Link first = head.get();
            Link next = first.next.get();
            return next != null && head.compareAndSet(first, next) ? next.box : null;
        }));
    }

    /** A ring for one producer and one consumer: plain slots between two counters. */
    @Suite.Safe
    static void ringOfOneAndOne(int n) throws Exception {
        Suite.Box[] slots = new Suite.Box[8];
        AtomicLong written = new AtomicLong();
        AtomicLong read = new AtomicLong();
        Suite.stream(n, box -> {
            long at = written.getPlain();
            Suite.until(() -> at - read.getAcquire() < slots.length);
            slots[(int) at & 7] = box;
            written.setRelease(at + 1);
        }, () -> {
            long at = read.getPlain();
            Suite.until(() -> written.getAcquire() > at);
            Suite.Box box = slots[(int) at & 7];
            slots[(int) at & 7] = null;
            read.setRelease(at + 1);
            return box;
        });
    }

    /** One slot that is taken and given by exchange of an element. */
    @Suite.Safe
    static void exchangedElement(int n) throws Exception {
        Suite.Box[] slot = new Suite.Box[1];
        Suite.stream(n, box -> Suite.until(() -> ELEMENT.compareAndSet(slot, 0, (Suite.Box) null, box)),
            () -> Suite.poll(() -> (Suite.Box) ELEMENT.getAndSetAcquire(slot, 0, (Suite.Box) null)));
    }

    /** Many producers and consumers and one monitor. */
    @Suite.Safe
    static void boundedBuffer(int n) throws Exception {
        ArrayDeque<Suite.Box> buffer = new ArrayDeque<>();
        Suite.Body produces = () -> {
            for (int i = 0; i < few(n); i++) {
                Suite.Box box = new Suite.Box();
                box.value = i;
                synchronized (buffer) {
                    while (buffer.size() == 4) buffer.wait();
                    buffer.add(box);
                    buffer.notifyAll();
                }
            }
        };
        Suite.Body consumes = () -> {
            for (int i = 0; i < few(n); i++) {
                Suite.Box box;
                synchronized (buffer) {
                    while (buffer.isEmpty()) buffer.wait(1000);
                    box = buffer.remove();
                    buffer.notifyAll();
                }
                box.value++;
            }
        };
        Suite.together(produces, consumes, produces, consumes);
    }

    /** The lock of a node is taken before that of the node before it is given back. */
    @Suite.Safe
    static void handOverHand(int n) throws Exception {
        Locked[] list = new Locked[5];
        for (int i = 0; i < list.length; i++) list[i] = new Locked();
        Suite.Step walk = i -> {
            list[0].lock.lock();
            for (int at = 0; at < list.length; at++) {
                list[at].value++;
                if (at + 1 < list.length) list[at + 1].lock.lock();
                list[at].lock.unlock();
            }
        };
        Suite.pair(few(n), walk, walk);
        Suite.check(list[4].value == 2 * few(n));
    }

    private static final class Locked {
        final ReentrantLock lock = new ReentrantLock();
        int value;
    }

    /** One lock for each part of a table. */
    @Suite.Safe
    static void stripes(int n) throws Exception {
        Object[] locks = new Object[4];
        for (int i = 0; i < locks.length; i++) locks[i] = new Object();
        Map<?, ?>[] parts = new Map<?, ?>[4];
        for (int i = 0; i < parts.length; i++) parts[i] = new HashMap<Integer, Suite.Box>();
        Suite.Step step = i -> {
            int part = i * 7 & 3;
            synchronized (locks[part]) {
                @SuppressWarnings("unchecked")
                Map<Integer, Suite.Box> map = (Map<Integer, Suite.Box>) parts[part];
                map.computeIfAbsent(i % 10, key -> new Suite.Box()).value++;
            }
        };
        Suite.pair(n, step, step);
    }

    /** Each reader keeps its snapshot; a writer copies it. */
    @Suite.Safe
    static void snapshots(int n) throws Exception {
        AtomicReference<int[]> current = new AtomicReference<>(new int[3]);
        Suite.pair(n, i -> {
            int[] copy = current.get().clone();
            for (int at = 0; at < copy.length; at++) copy[at]++;
            current.set(copy);
        }, i -> {
            int[] seen = current.get();
            Suite.check(seen[0] == seen[2]);
        });
    }

    /** Whoever counts down to zero has the results of all. */
    @Suite.Safe
    static void lastOneReads(int n) throws Exception {
        for (int i = 0; i < Math.min(n, 100); i++) {
            Suite.Box[] parts = {new Suite.Box(), new Suite.Box(), new Suite.Box()};
            AtomicInteger left = new AtomicInteger(parts.length);
            Suite.Body[] bodies = new Suite.Body[parts.length];
            for (int part = 0; part < parts.length; part++) {
                int mine = part;
                bodies[part] = () -> {
                    parts[mine].value = mine + 1;
                    if (left.decrementAndGet() == 0) Suite.check(parts[0].value + parts[1].value + parts[2].value == 6);
                };
            }
            Suite.together(bodies);
        }
    }

    /** Indexes that are given out once. */
    @Suite.Safe
    static void claimedIndexes(int n) throws Exception {
        int[] done = new int[n];
        AtomicInteger next = new AtomicInteger();
        Suite.Body works = () -> {
            for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) done[i]++;
        };
        Suite.together(works, works, works);
        for (int count : done) Suite.check(count == 1);
    }

    /** A barrier that counts and changes its sense. */
    @Suite.Safe
    static void senseBarrier(int n) throws Exception {
        AtomicInteger waiting = new AtomicInteger();
        Wishes sense = new Wishes();
        int[] cells = new int[2];
        Suite.Step[] sides = new Suite.Step[2];
        for (int side = 0; side < 2; side++) {
            int me = side;
            sides[side] = i -> {
                // The cell of the other one in every second phase.
                cells[me ^ i & 1]++;
                boolean now = (i & 1) == 0;
                if (waiting.incrementAndGet() == 2) {
                    waiting.set(0);
                    sense.first = now;
                } else {
                    Suite.until(() -> sense.first == now);
                }
            };
        }
        Suite.pair(few(n), sides[0], sides[1]);
        Suite.check(cells[0] == few(n) && cells[1] == few(n));
    }

    /** Tasks one after another, in whatever thread of a pool. */
    private static final class Serial implements Executor {
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private final Executor pool;
        private Runnable active;

        Serial(Executor pool) {
            this.pool = pool;
        }

        @Override
        public synchronized void execute(Runnable task) {
            tasks.add(() -> {
                try {
                    task.run();
                } finally {
                    next();
                }
            });
            if (active == null) next();
        }

        private synchronized void next() {
            active = tasks.poll();
            if (active != null) pool.execute(active);
        }
    }

    @Suite.Safe
    static void serialExecutor(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, Suite.factory());
        Serial serial = new Serial(pool);
        Suite.Box box = new Suite.Box();
        FutureTask<Integer> last = new FutureTask<>(() -> box.value);
        for (int i = 0; i < n; i++) serial.execute(() -> box.value++);
        serial.execute(last);
        Suite.check(last.get() == n);
        box.value = 0;
        pool.shutdown();
        Suite.check(pool.awaitTermination(20, TimeUnit.SECONDS));
    }

    /** Whoever comes first computes, the others wait for it. */
    @Suite.Safe
    static void memoizer(int n) throws Exception {
        ConcurrentHashMap<Integer, FutureTask<Suite.Box>> known = new ConcurrentHashMap<>();
        Suite.Step step = i -> {
            FutureTask<Suite.Box> task = new FutureTask<>(() -> {
                Suite.Box box = new Suite.Box();
                box.value = i + 1;
                return box;
            });
            FutureTask<Suite.Box> before = known.putIfAbsent(i, task);
            if (before == null) task.run();
            Suite.check((before == null ? task : before).get().value == i + 1);
        };
        Suite.pair(n, step, step);
    }

    /** The object is made by whoever is first, and published with release. */
    @Suite.Safe
    static void lazyByCompareAndSet(int n) throws Exception {
        Suite.Box[] lazy = new Suite.Box[n];
        Suite.Step step = i -> {
            Suite.Box box = (Suite.Box) ELEMENT.getAcquire(lazy, i);
            if (box == null) {
                Suite.Box made = new Suite.Box();
                made.value = 7;
                Suite.Box before = (Suite.Box) ELEMENT.compareAndExchangeRelease(lazy, i, (Suite.Box) null, made);
                box = before == null ? made : (Suite.Box) ELEMENT.getAcquire(lazy, i);
            }
            Suite.check(box.value == 7);
        };
        Suite.pair(n, step, step);
    }

    /** An event that is set once, and can be waited for. */
    @Suite.Safe
    static void eventOfMonitor(int n) throws Exception {
        for (int i = 0; i < Math.min(n, 100); i++) {
            Suite.Box box = new Suite.Box();
            boolean[] set = {false};
            Suite.Body waits = () -> {
                synchronized (set) {
                    while (!set[0]) set.wait();
                }
                Suite.check(box.value == 5);
            };
            Suite.together(waits, waits, () -> {
                box.value = 5;
                synchronized (set) {
                    set[0] = true;
                    set.notifyAll();
                }
            });
        }
    }

    private static int few(int n) {
        return Math.min(n, 2_000);
    }
}
