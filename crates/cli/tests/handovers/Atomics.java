import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Hand-over through volatile fields and atomic classes. */
final class Atomics {
    /** A turn that is asked for and set by the given means. */
    private static void turns(int n, IntPredicate reached, IntConsumer pass) throws Exception {
        Suite.turns(n, new Suite.IntTurn() {
            @Override
            public void await(int number) {
                Suite.until(() -> reached.test(number));
            }

            @Override
            public void pass(int number) {
                pass.accept(number);
            }
        });
    }

    private static volatile int volatileStatic;

    @Suite.Safe
    static void volatileStaticField(int n) throws Exception {
        volatileStatic = 0;
        turns(n, i -> volatileStatic >= i, i -> volatileStatic = i);
    }

    private static class Flags {
        volatile long number;
        volatile double real;
        volatile byte small;
        volatile Suite.Box box;
        volatile int updatedInt;
        volatile long updatedLong;
        volatile Suite.Box updatedBox;
    }

    private static final class Derived extends Flags {}

    @Suite.Safe
    static void volatileLong(int n) throws Exception {
        Flags flags = new Flags();
        turns(n, i -> flags.number >= i, i -> flags.number = i);
    }

    @Suite.Safe
    static void volatileDoubleInherited(int n) throws Exception {
        Derived flags = new Derived();
        turns(n, i -> flags.real >= i, i -> flags.real = i);
    }

    @Suite.Safe
    static void volatileByte(int n) throws Exception {
        Flags flags = new Flags();
        turns(n, i -> flags.small == (byte) i, i -> flags.small = (byte) i);
    }

    @Suite.Safe
    static void volatileReference(int n) throws Exception {
        Flags there = new Flags();
        Flags back = new Flags();
        Suite.stream(n, box -> {
            Suite.until(() -> there.box == null);
            there.box = box;
        }, () -> {
            Suite.Box box = Suite.poll(() -> there.box);
            there.box = null;
            return box;
        });
        Suite.Giver give = box -> there.box = box;
        Suite.pingPong(n, give, () -> {
            Suite.Box box = Suite.poll(() -> there.box);
            there.box = null;
            return box;
        }, box -> back.box = box, () -> {
            Suite.Box box = Suite.poll(() -> back.box);
            back.box = null;
            return box;
        });
    }

    @Suite.Safe
    static void atomicInteger(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        turns(n, i -> turn.get() >= i, turn::set);
    }

    @Suite.Safe
    static void atomicIntegerLazySet(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        turns(n, i -> turn.getAcquire() >= i, turn::lazySet);
        turn.set(0);
        turns(n, i -> turn.get() >= i, turn::setRelease);
    }

    @Suite.Safe
    static void atomicIntegerCompareAndSet(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        turns(n, i -> turn.compareAndSet(i, i), i -> Suite.check(turn.compareAndSet(i - 1, i)));
    }

    @Suite.Safe
    static void atomicIntegerWeak(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        turns(n, i -> turn.weakCompareAndSetAcquire(i, i), i -> {
            while (!turn.weakCompareAndSetRelease(i - 1, i)) Thread.onSpinWait();
        });
    }

    @Suite.Safe
    static void atomicIntegerUpdate(int n) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        turns(n, i -> turn.getAndUpdate(x -> x) >= i, i -> turn.accumulateAndGet(1, Integer::sum));
    }

    @Suite.Safe
    static void atomicLong(int n) throws Exception {
        AtomicLong turn = new AtomicLong();
        turns(n, i -> turn.getAndAdd(0) >= i, i -> turn.incrementAndGet());
    }

    @Suite.Safe
    static void atomicBoolean(int n) throws Exception {
        AtomicBoolean lock = new AtomicBoolean();
        Suite.sections(n, body -> {
            Suite.until(() -> lock.compareAndSet(false, true));
            body.run();
            lock.set(false);
        });
        AtomicBoolean turn = new AtomicBoolean();
        turns(n, i -> turn.get() == ((i & 1) == 1), i -> turn.getAndSet((i & 1) == 1));
    }

    @Suite.Safe
    static void atomicReference(int n) throws Exception {
        AtomicReference<Suite.Box> slot = new AtomicReference<>();
        Suite.stream(n, box -> Suite.until(() -> slot.compareAndSet(null, box)), () -> Suite.poll(() -> slot.getAndSet(null)));
    }

    @Suite.Safe
    static void atomicReferenceExchange(int n) throws Exception {
        AtomicReference<Suite.Box> slot = new AtomicReference<>();
        Suite.stream(n, box -> Suite.until(() -> slot.compareAndExchangeRelease(null, box) == null), () -> {
            Suite.Box box = Suite.poll(slot::getAcquire);
            slot.setRelease(null);
            return box;
        });
    }

    @Suite.Safe
    static void atomicIntegerArray(int n) throws Exception {
        AtomicIntegerArray turns = new AtomicIntegerArray(3);
        turns(n, i -> turns.get(1) >= i, i -> turns.set(1, i));
    }

    @Suite.Safe
    static void atomicLongArray(int n) throws Exception {
        AtomicLongArray turns = new AtomicLongArray(2);
        turns(n, i -> turns.getAcquire(1) >= i, i -> turns.getAndIncrement(1));
    }

    @Suite.Safe
    static void atomicReferenceArray(int n) throws Exception {
        AtomicReferenceArray<Suite.Box> slots = new AtomicReferenceArray<>(4);
        int[] at = {0, 0};
        Suite.stream(n, box -> Suite.until(() -> slots.compareAndSet(at[0] & 3, null, box) && ++at[0] > 0), () -> {
            Suite.Box box = Suite.poll(() -> slots.getAndSet(at[1] & 3, null));
            at[1]++;
            return box;
        });
    }

    @Suite.Safe
    static void atomicStampedReference(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicStampedReference<Suite.Box> turn = new AtomicStampedReference<>(box, 0);
        turns(n, i -> turn.getStamp() >= i, i -> turn.set(box, i));
    }

    @Suite.Safe
    static void atomicMarkableReference(int n) throws Exception {
        AtomicMarkableReference<Suite.Box> slot = new AtomicMarkableReference<>(null, false);
        Suite.stream(n, box -> Suite.until(() -> slot.compareAndSet(null, box, false, true)), () -> {
            boolean[] mark = {false};
            Suite.Box box = Suite.poll(() -> slot.get(mark));
            slot.set(null, false);
            return box;
        });
    }

    private static final AtomicIntegerFieldUpdater<Flags> INT = AtomicIntegerFieldUpdater.newUpdater(Flags.class, "updatedInt");
    private static final AtomicLongFieldUpdater<Flags> LONG = AtomicLongFieldUpdater.newUpdater(Flags.class, "updatedLong");
    private static final AtomicReferenceFieldUpdater<Flags, Suite.Box> BOX =
        AtomicReferenceFieldUpdater.newUpdater(Flags.class, Suite.Box.class, "updatedBox");

    @Suite.Safe
    static void integerFieldUpdater(int n) throws Exception {
        Flags flags = new Flags();
        turns(n, i -> INT.get(flags) >= i, i -> INT.compareAndSet(flags, i - 1, i));
        flags.updatedInt = 0;
        turns(n, i -> flags.updatedInt >= i, i -> INT.lazySet(flags, i));
    }

    @Suite.Safe
    static void longFieldUpdater(int n) throws Exception {
        Flags flags = new Flags();
        turns(n, i -> LONG.get(flags) >= i, i -> LONG.getAndIncrement(flags));
        flags.updatedLong = 0;
        turns(n, i -> LONG.compareAndSet(flags, i, i), i -> flags.updatedLong = i);
    }

    @Suite.Safe
    static void referenceFieldUpdater(int n) throws Exception {
        Flags flags = new Flags();
        Suite.stream(n, box -> Suite.until(() -> BOX.compareAndSet(flags, null, box)), () -> Suite.poll(() -> BOX.getAndSet(flags, null)));
    }

    /** What the sum of an adder shows was added before it. */
    @Suite.Safe
    static void longAdder(int n) throws Exception {
        LongAdder turn = new LongAdder();
        turns(n, i -> turn.sum() >= i, i -> turn.increment());
    }

    @Suite.Safe
    static void doubleAdder(int n) throws Exception {
        DoubleAdder turn = new DoubleAdder();
        turns(n, i -> turn.sum() >= i, i -> turn.add(1));
    }

    @Suite.Safe
    static void longAccumulator(int n) throws Exception {
        LongAccumulator turn = new LongAccumulator(Long::max, 0);
        turns(n, i -> turn.get() >= i, turn::accumulate);
    }
}
