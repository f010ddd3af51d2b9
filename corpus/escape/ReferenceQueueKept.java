// References that come out of a reference queue: whoever registered them still holds them.
package escape;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

public class ReferenceQueueKept {
    static class Handle extends WeakReference<Object> {
        int uses;

        Handle(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    public static void main(String[] args) {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Handle handle = new Handle(new Object(), queue);
        Thread cleaner = new Thread(() -> {
            try {
                Handle gone = (Handle) queue.remove();
                gone.uses++; //~ RACE
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        cleaner.setDaemon(true);
        cleaner.start();
        handle.uses++; //~ RACE
    }
}
