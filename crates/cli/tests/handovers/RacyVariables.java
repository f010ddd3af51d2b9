import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Variables that order nothing, or something else. */
final class RacyVariables {
    private static final class Cell {
        int plain;
        volatile int one;
        volatile int other;
        int mixed;
        long wide;
        double real;
        boolean flag;
        static int shared;
        volatile int[] array = new int[2];
    }

    private static final VarHandle PLAIN;
    private static final VarHandle MIXED;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final AtomicIntegerFieldUpdater<Cell> ONE = AtomicIntegerFieldUpdater.newUpdater(Cell.class, "one");

    static {
        try {
            PLAIN = MethodHandles.privateLookupIn(Cell.class, MethodHandles.lookup()).findVarHandle(Cell.class, "plain", int.class);
            MIXED = MethodHandles.privateLookupIn(Cell.class, MethodHandles.lookup()).findVarHandle(Cell.class, "mixed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Looks for something a few times, whether or not it comes. */
    private static void look(java.util.function.BooleanSupplier condition) {
        for (int i = 0; i < 200 && !condition.getAsBoolean(); i++) Thread.yield();
    }

    @Suite.Racy
    static void plainFlag(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            box.value = 1;
            cell.flag = true;
        }, () -> {
            look(() -> cell.flag);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void opaqueHandle(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            box.value = 1;
            PLAIN.setOpaque(cell, 1);
        }, () -> {
            look(() -> (int) PLAIN.getOpaque(cell) == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void opaqueAtomic(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            flag.setOpaque(1);
        }, () -> {
            look(() -> flag.getOpaque() == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void plainAtomic(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            flag.setPlain(1);
        }, () -> {
            look(() -> flag.getPlain() == 1);
            Suite.check(box.value >= 0);
        });
    }

    /** A release that nobody acquires. */
    @Suite.Racy
    static void releaseAndPlainRead(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            flag.setRelease(1);
        }, () -> {
            look(() -> flag.getPlain() == 1);
            Suite.check(box.value >= 0);
        });
    }

    /** An acquiring read of what nobody released. */
    @Suite.Racy
    static void opaqueWriteAndAcquire(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            flag.setOpaque(1);
        }, () -> {
            look(() -> flag.getAcquire() == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void plainCompareAndSet(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            look(() -> flag.weakCompareAndSetPlain(0, 1));
        }, () -> {
            look(() -> flag.weakCompareAndSetPlain(1, 2));
            Suite.check(box.value >= 0);
        });
    }

    /** The modes are on the wrong sides. */
    @Suite.Racy
    static void acquireWriteAndReleaseRead(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            box.value = 1;
            PLAIN.getAndAddAcquire(cell, 1);
        }, () -> {
            look(() -> (int) PLAIN.getAndAddRelease(cell, 0) == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void opaqueElement(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        int[] cells = new int[2];
        Suite.together(() -> {
            box.value = 1;
            ELEMENT.setOpaque(cells, 1, 1);
        }, () -> {
            look(() -> (int) ELEMENT.getOpaque(cells, 1) == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void otherElementByHandle(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        int[] cells = new int[2];
        Suite.together(() -> {
            box.value = 1;
            ELEMENT.setVolatile(cells, 1, 1);
        }, () -> {
            look(() -> (int) ELEMENT.getVolatile(cells, 0) == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void otherVolatileField(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            box.value = 1;
            cell.one = 1;
        }, () -> {
            look(() -> cell.other == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void otherObjectsField(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell first = new Cell();
        Cell second = new Cell();
        Suite.together(() -> {
            box.value = 1;
            first.one = 1;
        }, () -> {
            look(() -> second.one == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void volatileBeforeWrite(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            cell.one = 1;
            box.value = 1;
        }, () -> {
            Suite.until(() -> cell.one == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void updaterOfOtherField(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            box.value = 1;
            ONE.set(cell, 1);
        }, () -> {
            look(() -> cell.other == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void otherElement(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicIntegerArray flags = new AtomicIntegerArray(2);
        Suite.together(() -> {
            box.value = 1;
            flags.set(0, 1);
        }, () -> {
            look(() -> flags.get(1) == 1);
            Suite.check(box.value >= 0);
        });
    }

    /** A comparison that fails writes nothing. */
    @Suite.Racy
    static void failedCompareAndSet(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        AtomicInteger flag = new AtomicInteger();
        Suite.together(() -> {
            box.value = 1;
            flag.compareAndSet(5, 6);
        }, () -> {
            look(() -> flag.get() == 6);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void writeAfterAtomicReference(int n) throws Exception {
        AtomicReference<Suite.Box> slot = new AtomicReference<>();
        Suite.together(() -> {
            Suite.Box box = new Suite.Box();
            slot.set(box);
            box.value = 1;
        }, () -> Suite.poll(slot::get).value++);
    }

    @Suite.Racy
    static void writeAfterAdder(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        LongAdder adder = new LongAdder();
        Suite.together(() -> {
            adder.increment();
            box.value = 1;
        }, () -> {
            Suite.until(() -> adder.sum() == 1);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void otherKeyOfHashMap(int n) throws Exception {
        ConcurrentMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            map.put(1, box);
            box.value = 1;
            map.put(2, box);
        }, () -> Suite.poll(() -> map.get(1)).value++);
    }

    @Suite.Racy
    static void absentKeyOfHashMap(int n) throws Exception {
        ConcurrentMap<Integer, Suite.Box> map = new ConcurrentHashMap<>();
        map.put(7, new Suite.Box());
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            box.value = 1;
            map.put(1, box);
        }, () -> {
            look(() -> map.get(2) != null);
            Suite.check(box.value >= 0);
        });
    }

    @Suite.Racy
    static void writeAfterSkipList(int n) throws Exception {
        ConcurrentSkipListMap<Integer, Suite.Box> map = new ConcurrentSkipListMap<>();
        Suite.Box box = new Suite.Box();
        Suite.together(() -> {
            map.put(1, box);
            box.value = 1;
        }, () -> Suite.poll(() -> map.get(1)).value++);
    }

    /** A volatile reference to an array does not make its elements volatile. */
    @Suite.Racy("[]")
    static void elementOfVolatileArray(int n) throws Exception {
        Cell cell = new Cell();
        Suite.pair(n, i -> cell.array[0]++, i -> cell.array[0]++);
    }

    @Suite.Racy("[]")
    static void element(int n) throws Exception {
        long[] cells = new long[8];
        Suite.pair(n, i -> cells[3]++, i -> cells[3]++);
    }

    @Suite.Racy("wide")
    static void wideField(int n) throws Exception {
        Cell cell = new Cell();
        Suite.pair(n, i -> cell.wide++, i -> cell.wide++);
    }

    @Suite.Racy("real")
    static void doubleField(int n) throws Exception {
        Cell cell = new Cell();
        Suite.pair(n, i -> cell.real = i, i -> Suite.check(cell.real >= 0));
    }

    @Suite.Racy("shared")
    static void staticField(int n) throws Exception {
        Suite.pair(n, i -> Cell.shared++, i -> Cell.shared++);
    }

    /** One side goes through a handle, the other reads the field. */
    @Suite.Racy("mixed")
    static void handleAndPlainRead(int n) throws Exception {
        Cell cell = new Cell();
        Suite.together(() -> MIXED.setVolatile(cell, 1), () -> Suite.check(cell.mixed >= 0));
    }

    @Suite.Racy("plain")
    static void plainHandle(int n) throws Exception {
        Cell cell = new Cell();
        Suite.together(() -> PLAIN.set(cell, 1), () -> Suite.check(cell.plain >= 0));
    }

    /** The flag is set between fences that are on the wrong side of it. */
    @Suite.Racy
    static void noFence(int n) throws Exception {
        Suite.Box box = new Suite.Box();
        Cell cell = new Cell();
        Suite.together(() -> {
            VarHandle.releaseFence();
            box.value = 1;
            PLAIN.setOpaque(cell, 1);
        }, () -> {
            VarHandle.acquireFence();
            look(() -> (int) PLAIN.getOpaque(cell) == 1);
            Suite.check(box.value >= 0);
        });
    }
}
