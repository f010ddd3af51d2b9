import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Hand-over by {@code sun.misc.Unsafe}: {@code ByUnsafe safe|racy}. */
final class ByUnsafe {
    private static final int ROUNDS = 100;
    private static final Unsafe UNSAFE;
    private static final long TURN;
    private static final long TAIL;

    static {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            UNSAFE = (Unsafe) field.get(null);
            TURN = UNSAFE.objectFieldOffset(ByUnsafe.class.getDeclaredField("turn"));
            TAIL = UNSAFE.objectFieldOffset(ByUnsafe.class.getDeclaredField("tail"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    int turn;
    long tail;
    final Object[] ring = new Object[8];
    int byField, byExchange, byMemory;
    int lateField, lateMemory;

    private static final class Slot {
        int lateElement;
    }

    /** A turn that one thread takes and the other gives back. */
    private interface Turn {
        void await(int number);

        void pass(int number);
    }

    private static void alternate(Turn turn, Runnable body) throws InterruptedException {
        Runnable[] sides = new Runnable[2];
        for (int side = 0; side < 2; side++) {
            int own = side;
            sides[side] = () -> {
                for (int i = own; i < 2 * ROUNDS; i += 2) {
                    turn.await(i);
                    body.run();
                    turn.pass(i + 1);
                }
            };
        }
        together(sides[0], sides[1]);
    }

    private static void together(Runnable first, Runnable second) throws InterruptedException {
        Thread[] threads = {new Thread(first), new Thread(second)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    /** Orders nothing, and keeps two accesses from happening within the same nanoseconds. */
    private static void linger() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long place(int index) {
        return Unsafe.ARRAY_OBJECT_BASE_OFFSET + (long) index * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
    }

    public static void main(String[] arguments) throws Exception {
        ByUnsafe shared = new ByUnsafe();
        long memory = UNSAFE.allocateMemory(64);
        UNSAFE.setMemory(memory, 64, (byte) 0);
        if (arguments[0].equals("safe")) {
            shared.safe(memory);
        } else {
            shared.racy(memory);
        }
        System.out.println("done");
    }

    private void safe(long memory) throws InterruptedException {
        alternate(new Turn() {
            @Override
            public void await(int number) {
                while (UNSAFE.getIntVolatile(ByUnsafe.this, TURN) != number) Thread.yield();
            }

            @Override
            public void pass(int number) {
                UNSAFE.putOrderedInt(ByUnsafe.this, TURN, number);
            }
        }, () -> byField++);
        alternate(new Turn() {
            @Override
            public void await(int number) {
                while (!UNSAFE.compareAndSwapLong(ByUnsafe.this, TAIL, number, -1)) Thread.yield();
            }

            @Override
            public void pass(int number) {
                UNSAFE.getAndSetLong(ByUnsafe.this, TAIL, number);
            }
        }, () -> byExchange++);
        alternate(new Turn() {
            @Override
            public void await(int number) {
                while (UNSAFE.getLongVolatile(null, memory) != number) Thread.yield();
            }

            @Override
            public void pass(int number) {
                UNSAFE.putOrderedLong(null, memory, number);
            }
        }, () -> byMemory++);
        alternate(new Turn() {
            @Override
            public void await(int number) {
                while (!UNSAFE.compareAndSwapInt(null, memory + 32, number, -1)) Thread.yield();
            }

            @Override
            public void pass(int number) {
                UNSAFE.putIntVolatile(null, memory + 32, number);
            }
        }, () -> byMemory++);
        together(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                while (UNSAFE.getObjectVolatile(ring, place(i & 7)) != null) Thread.yield();
                Slot slot = new Slot();
                slot.lateElement = i;
                UNSAFE.putOrderedObject(ring, place(i & 7), slot);
            }
        }, () -> {
            for (int i = 0; i < ROUNDS; i++) {
                Object slot;
                while ((slot = UNSAFE.getObjectVolatile(ring, place(i & 7))) == null) Thread.yield();
                ((Slot) slot).lateElement++;
                UNSAFE.putObjectVolatile(ring, place(i & 7), null);
            }
        });
    }

    /** What is written after it was passed on, and, a while later, by who has it. */
    private void racy(long memory) throws InterruptedException {
        together(() -> {
            UNSAFE.putOrderedInt(this, TURN, 1);
            lateField = 1;
        }, () -> {
            while (UNSAFE.getIntVolatile(this, TURN) != 1) Thread.yield();
            linger();
            lateField = 2;
        });
        together(() -> {
            Slot slot = new Slot();
            UNSAFE.putOrderedObject(ring, place(1), slot);
            slot.lateElement = 1;
        }, () -> {
            Object slot;
            while ((slot = UNSAFE.getObjectVolatile(ring, place(1))) == null) Thread.yield();
            linger();
            ((Slot) slot).lateElement = 2;
        });
        together(() -> {
            UNSAFE.putLongVolatile(null, memory, 1);
            lateMemory = 1;
        }, () -> {
            while (UNSAFE.getLongVolatile(null, memory) != 1) Thread.yield();
            linger();
            lateMemory = 2;
        });
    }
}
