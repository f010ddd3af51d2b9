import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Hand-over through variable handles and fences. */
final class Handles {
    private static final class Cell {
        int plain;
        long wide;
        volatile int marked;
        Suite.Box box;
        static int shared;
    }

    private static final VarHandle PLAIN = handle("plain", int.class);
    private static final VarHandle WIDE = handle("wide", long.class);
    private static final VarHandle MARKED = handle("marked", int.class);
    private static final VarHandle BOX = handle("box", Suite.Box.class);
    private static final VarHandle SHARED;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle BUFFER = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    static {
        try {
            SHARED = MethodHandles.lookup().findStaticVarHandle(Cell.class, "shared", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(Cell.class, MethodHandles.lookup()).findVarHandle(Cell.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

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

    @Suite.Safe
    static void handleVolatile(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> (int) PLAIN.getVolatile(cell) >= i, i -> PLAIN.setVolatile(cell, i));
    }

    @Suite.Safe
    static void handleReleaseAcquire(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> (int) PLAIN.getAcquire(cell) >= i, i -> PLAIN.setRelease(cell, i));
    }

    @Suite.Safe
    static void handleOfVolatileField(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> cell.marked >= i, i -> MARKED.setRelease(cell, i));
        cell.marked = 0;
        turns(n, i -> (int) MARKED.getAcquire(cell) >= i, i -> cell.marked = i);
    }

    @Suite.Safe
    static void handleCompareAndSet(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> WIDE.compareAndSet(cell, (long) i, (long) i), i -> Suite.check(WIDE.compareAndSet(cell, i - 1L, (long) i)));
    }

    @Suite.Safe
    static void handleCompareAndExchange(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> (int) PLAIN.compareAndExchangeAcquire(cell, i, i) == i, i -> PLAIN.compareAndExchangeRelease(cell, i - 1, i));
    }

    /** A failed exchange in acquire mode still reads what was released. */
    @Suite.Safe
    static void handleFailedExchange(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> (int) PLAIN.compareAndExchange(cell, -1, -2) >= i, i -> PLAIN.setVolatile(cell, i));
    }

    @Suite.Safe
    static void handleGetAndAdd(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> (int) PLAIN.getAndAddAcquire(cell, 0) >= i, i -> PLAIN.getAndAddRelease(cell, 1));
    }

    @Suite.Safe
    static void handleReference(int n) throws Exception {
        Cell cell = new Cell();
        Suite.stream(n, box -> Suite.until(() -> BOX.weakCompareAndSet(cell, null, box)), () -> Suite.poll(() -> (Suite.Box) BOX.getAndSet(cell, null)));
    }

    @Suite.Safe
    static void handleStatic(int n) throws Exception {
        SHARED.setVolatile(0);
        turns(n, i -> (int) SHARED.getVolatile() >= i, i -> SHARED.setVolatile(i));
    }

    @Suite.Safe
    static void handleElement(int n) throws Exception {
        int[] cells = new int[8];
        turns(n, i -> (int) ELEMENT.getAcquire(cells, 5) >= i, i -> ELEMENT.setRelease(cells, 5, i));
    }

    @Suite.Safe
    static void handleBytes(int n) throws Exception {
        byte[] bytes = new byte[64];
        turns(n, i -> (int) BYTES.getVolatile(bytes, 32) >= i, i -> BYTES.setVolatile(bytes, 32, i));
    }

    @Suite.Safe
    static void handleBuffer(int n) throws Exception {
        java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocateDirect(64);
        turns(n, i -> (int) BUFFER.getVolatile(bytes, 32) >= i, i -> BUFFER.setVolatile(bytes, 32, i));
    }

    /** A fence on either side of accesses that order nothing themselves. */
    @Suite.Safe
    static void fences(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> {
            boolean reached = (int) PLAIN.getOpaque(cell) >= i;
            VarHandle.acquireFence();
            return reached;
        }, i -> {
            VarHandle.releaseFence();
            PLAIN.setOpaque(cell, i);
        });
    }

    @Suite.Safe
    static void fullFences(int n) throws Exception {
        Cell cell = new Cell();
        turns(n, i -> {
            boolean reached = (int) PLAIN.getOpaque(cell) >= i;
            VarHandle.fullFence();
            return reached;
        }, i -> {
            VarHandle.fullFence();
            PLAIN.setOpaque(cell, i);
        });
    }
}
