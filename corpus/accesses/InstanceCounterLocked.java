// The hit counter with a synchronized method: every access holds the counter's own monitor or comes after the joins.
package accesses;

public class InstanceCounterLocked {
    private int hits;

    synchronized void handle() {
        hits++; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        InstanceCounterLocked counter = new InstanceCounterLocked();
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                counter.handle();
            }
        };
        Thread first = new Thread(work);
        Thread second = new Thread(work);
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("hits " + counter.hits); //~ NORACE: both threads are joined
    }
}
