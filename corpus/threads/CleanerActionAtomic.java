// The cleaner's action with an atomic counter: safe from whichever thread runs it.
package threads;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

public class CleanerActionAtomic {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicInteger RELEASED = new AtomicInteger();

    static class Handle {
        private int uses;

        Handle() {
            CLEANER.register(this, RELEASED::incrementAndGet); //~ NORACE: atomic
        }

        void use() {
            uses++; //~ NORACE: only main has the handle
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            new Handle().use();
        }
        System.out.println(RELEASED.get() <= 5); //~ NORACE: atomic
    }
}
