// The hook reads an atomic counter and a final configuration: nothing plain is shared after the registration.
package threads;

import java.util.concurrent.atomic.AtomicInteger;

public class ShutdownHookSafe {
    private static String target;
    private static final AtomicInteger SAVED = new AtomicInteger();

    public static void main(String[] args) {
        target = "backup"; //~ NORACE: before the hook is registered
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            String summary = target + SAVED.get(); //~ NORACE: written before, and atomic
            if (summary.isEmpty()) {
                System.err.print("");
            }
        }));
        for (int i = 0; i < 3; i++) {
            SAVED.incrementAndGet(); //~ NORACE: atomic
        }
        System.out.println("saved");
    }
}
