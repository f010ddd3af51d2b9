import java.util.*;

/** ThreadLocal, InheritableThreadLocal, withInitial, remove. */
public class ThreadLocals {
    static final ThreadLocal<Integer> COUNTER = ThreadLocal.withInitial(() -> 10);
    static final ThreadLocal<List<String>> NAMES = new ThreadLocal<>() {
        @Override protected List<String> initialValue() { return new ArrayList<>(); }
    };
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    public static void main(String[] args) throws InterruptedException {
        INHERITED.set("from main");
        COUNTER.set(1);
        String[] results = new String[3];
        Thread[] threads = new Thread[3];
        for (int t = 0; t < 3; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i <= me; i++) {
                    COUNTER.set(COUNTER.get() + 1);
                    NAMES.get().add("n" + i);
                }
                results[me] = COUNTER.get() + " " + NAMES.get() + " " + INHERITED.get();
                INHERITED.set("changed");
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        for (String r : results) System.out.println(r);
        System.out.println(COUNTER.get() + " " + NAMES.get() + " " + INHERITED.get());
        COUNTER.remove();
        System.out.println(COUNTER.get());
        ThreadLocal<Integer>[] many = new ThreadLocal[40];
        for (int i = 0; i < many.length; i++) {
            int n = i;
            many[i] = ThreadLocal.withInitial(() -> n * n);
        }
        int sum = 0;
        for (ThreadLocal<Integer> l : many) sum += l.get();
        System.out.println(sum);
    }
}
