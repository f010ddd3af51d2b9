import java.util.concurrent.atomic.*;

/** Atomic variables, arrays, references, field updaters, adders. */
public class Atomics {
    volatile int updated;
    volatile Object link;
    static final AtomicIntegerFieldUpdater<Atomics> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "updated");

    static class Stack<T> {
        record Node<T>(T item, Node<T> next) {}
        final AtomicReference<Node<T>> top = new AtomicReference<>();

        void push(T item) {
            Node<T> old;
            do old = top.get(); while (!top.compareAndSet(old, new Node<>(item, old)));
        }

        T pop() {
            for (;;) {
                Node<T> old = top.get();
                if (old == null) return null;
                if (top.compareAndSet(old, old.next())) return old.item();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicInteger i = new AtomicInteger();
        AtomicLong l = new AtomicLong(1L << 35);
        AtomicBoolean once = new AtomicBoolean();
        AtomicInteger winners = new AtomicInteger();
        AtomicIntegerArray array = new AtomicIntegerArray(4);
        LongAdder adder = new LongAdder();
        Stack<Integer> stack = new Stack<>();
        Atomics object = new Atomics();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                if (once.compareAndSet(false, true)) winners.incrementAndGet();
                for (int k = 0; k < 25; k++) {
                    i.incrementAndGet();
                    l.addAndGet(k);
                    array.getAndAdd(k % 4, me + 1);
                    adder.add(2);
                    stack.push(k);
                    UPDATER.getAndIncrement(object);
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        int popped = 0, sum = 0;
        for (Integer v; (v = stack.pop()) != null; popped++) sum += v;
        System.out.println(i + " " + l + " " + once + " " + winners + " " + array + " " + adder.sum() + " " + popped + " " + sum + " " + object.updated);
        System.out.println(i.getAndUpdate(x -> x * 2) + " " + i.accumulateAndGet(5, Math::max) + " " + i.updateAndGet(x -> x - 1) + " " + i.compareAndSet(1, 2) + " " + i.getAndSet(3));
        AtomicReference<String> ref = new AtomicReference<>("a");
        System.out.println(ref.getAndUpdate(s -> s + "b") + ref.get() + ref.compareAndSet("zz", "c"));
        AtomicStampedReference<String> stamped = new AtomicStampedReference<>("x", 1);
        int[] stamp = new int[1];
        String was = stamped.get(stamp);
        System.out.println(stamped.compareAndSet(was, "y", stamp[0], stamp[0] + 1) + " " + stamped.getStamp() + " " + stamped.compareAndSet("y", "z", 1, 3));
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        for (long v : new long[]{3, 9, -4}) max.accumulate(v);
        System.out.println(max.get());
    }
}
