// A Cleaner's action runs in the cleaner's thread: it may touch only what is safe; this one counts without a lock.
package threads;

import java.lang.ref.Cleaner;

public class CleanerAction {
    private static final Cleaner CLEANER = Cleaner.create();
    private static int released;

    static class Handle {
        Handle() {
            CLEANER.register(this, () -> {
                released++; //~ RACE
            });
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            new Handle();
        }
        System.gc();
        System.out.println(released <= 5); //~ RACE
    }
}
