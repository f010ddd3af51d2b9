import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Locks, queues and barriers of a program's own that do not order. */
final class RacyHomemade {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Suite.Box[].class);

    @Suite.Racy
    static void spinLockPlainlyReleased(int n) throws Exception {
        AtomicBoolean held = new AtomicBoolean();
        Suite.Box box = new Suite.Box();
        Suite.Step step = i -> {
            Suite.until(() -> held.compareAndSet(false, true));
            box.value++;
            held.setPlain(false);
        };
        Suite.pair(few(n), step, step);
    }

    @Suite.Racy
    static void ticketReadOpaque(int n) throws Exception {
        AtomicInteger serving = new AtomicInteger();
        Suite.Box box = new Suite.Box();
        Suite.pair(n, i -> {
            Suite.until(() -> serving.getOpaque() == 2 * i);
            box.value++;
            serving.setRelease(2 * i + 1);
        }, i -> {
            Suite.until(() -> serving.getOpaque() == 2 * i + 1);
            box.value++;
            serving.setRelease(2 * i + 2);
        });
    }

    @Suite.Racy
    static void stackWithPlainTop(int n) throws Exception {
        AtomicReference<Suite.Box> top = new AtomicReference<>();
        Suite.pair(n, i -> {
            Suite.Box box = new Suite.Box();
            box.value = i;
            Suite.until(() -> top.getPlain() == null);
            top.setPlain(box);
        }, i -> {
            Suite.Box box = Suite.poll(top::getOpaque);
            box.value++;
            top.setOpaque(null);
        });
    }

    /** The counter is raised before the slot is filled. */
    @Suite.Racy("[]")
    static void ringCountedTooEarly(int n) throws Exception {
        int[] slots = new int[few(n)];
        AtomicLong written = new AtomicLong();
        Suite.pair(few(n), i -> {
            written.incrementAndGet();
            slots[i] = i;
        }, i -> {
            Suite.until(() -> written.get() > i);
            Suite.check(slots[i] >= 0);
        });
    }

    /** The producer keeps what it gave. */
    @Suite.Racy
    static void usedAfterExchange(int n) throws Exception {
        Suite.Box[] slot = new Suite.Box[1];
        Suite.pair(few(n), i -> {
            Suite.Box box = new Suite.Box();
            Suite.until(() -> ELEMENT.compareAndSet(slot, 0, (Suite.Box) null, box));
            box.value++;
        }, i -> Suite.poll(() -> (Suite.Box) ELEMENT.getAndSet(slot, 0, (Suite.Box) null)).value++);
    }

    /** What is taken is used within, what is given is filled outside. */
    @Suite.Racy
    static void filledAfterNotify(int n) throws Exception {
        ArrayDeque<Suite.Box> buffer = new ArrayDeque<>();
        Suite.pair(few(n), i -> {
            Suite.Box box = new Suite.Box();
            synchronized (buffer) {
                buffer.add(box);
                buffer.notifyAll();
            }
            box.value = i;
        }, i -> {
            synchronized (buffer) {
                while (buffer.isEmpty()) buffer.wait();
                buffer.remove().value++;
            }
        });
    }

    /** The count is read plainly by the one that waits for it. */
    @Suite.Racy
    static void countReadPlainly(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Suite.Box box = new Suite.Box();
            AtomicInteger left = new AtomicInteger(1);
            Suite.together(() -> {
                box.value = 1;
                left.decrementAndGet();
            }, () -> {
                Suite.until(() -> left.getOpaque() == 0);
                Suite.check(box.value >= 0);
            });
        }
    }

    /** Both compute, and both use what only one of them has published. */
    @Suite.Racy
    static void lazyByPlainElement(int n) throws Exception {
        Suite.Box[] lazy = new Suite.Box[n];
        Suite.Step step = i -> {
            Suite.Box box = (Suite.Box) ELEMENT.getOpaque(lazy, i);
            if (box == null) {
                ELEMENT.compareAndSet(lazy, i, (Suite.Box) null, new Suite.Box());
                box = (Suite.Box) ELEMENT.getOpaque(lazy, i);
            }
            box.value++;
        };
        Suite.pair(n, step, step);
    }

    /** The writer changes the array that readers have. */
    @Suite.Racy("[]")
    static void snapshotChangedInPlace(int n) throws Exception {
        AtomicReference<int[]> current = new AtomicReference<>(new int[3]);
        Suite.pair(few(n), i -> {
            current.set(current.get());
            current.getPlain()[1]++;
        }, i -> Suite.check(current.get()[1] >= 0));
    }

    /** So few that a variable which one thread uses before the other comes is not yet biased to it. */
    private static int few(int n) {
        return Math.min(n, 20);
    }
}
