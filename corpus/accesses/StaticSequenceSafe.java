// The id generator as a static synchronized method: the class object is the one lock for all callers.
package accesses;

public class StaticSequenceSafe {
    private static int nextId = 1;

    static synchronized int next() {
        return nextId++; //~ NORACE: guarded by the class object
    }

    public static void main(String[] args) throws Exception {
        Runnable clerk = () -> {
            for (int i = 0; i < 50; i++) {
                next();
            }
        };
        Thread a = new Thread(clerk);
        Thread b = new Thread(clerk);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(next()); //~ NORACE: a call, and the callee locks
    }
}
