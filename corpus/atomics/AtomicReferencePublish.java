// A mutable object is completed, then published through an AtomicReference and only read afterwards.
package atomics;

import java.util.concurrent.atomic.AtomicReference;

public class AtomicReferencePublish {
    static class Snapshot {
        int version;
        String text;
    }

    private static final AtomicReference<Snapshot> CURRENT = new AtomicReference<>();

    public static void main(String[] args) throws Exception {
        Thread publisher = new Thread(() -> {
            Snapshot snapshot = new Snapshot();
            snapshot.version = 7; //~ NORACE: before set
            snapshot.text = "seven"; //~ NORACE: before set
            CURRENT.set(snapshot);
        });
        publisher.start();
        Snapshot seen = CURRENT.get();
        while (seen == null) {
            Thread.onSpinWait();
            seen = CURRENT.get();
        }
        System.out.println(seen.version + seen.text); //~ NORACE: after get
        publisher.join();
    }
}
