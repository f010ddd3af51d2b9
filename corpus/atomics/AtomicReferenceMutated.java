// The snapshot is changed after it was published: the reference is atomic, what hangs below is not.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class AtomicReferenceMutated {
    static class Snapshot {
        int version;
    }

    private static final AtomicReference<Snapshot> CURRENT = new AtomicReference<>(new Snapshot());

    public static void main(String[] args) throws Exception {
        Thread publisher = new Thread(() -> {
            Snapshot snapshot = CURRENT.get();
            snapshot.version = 8; //~ RACE
        });
        publisher.start();
        System.out.println(CURRENT.get().version >= 0); //~ RACE
        publisher.join();
    }
}
