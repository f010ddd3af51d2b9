// The twin of FlagUnsetByOtherInitializer: only the initialiser of the flag's own class touches it, before anyone.
package order;

public class FlagKeptByInitializer {
    static volatile boolean ready = false;
    private static int entries;

    static class Uses {
        static int uses;
    }

    static int size() {
        if (!ready) {
            synchronized (FlagKeptByInitializer.class) {
                if (!ready) {
                    entries = 16; //~ NORACE: under the lock, before the flag is set
                    ready = true;
                }
            }
        }
        return entries; //~ NORACE: the flag was seen
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                size();
                synchronized (Uses.class) {
                    Uses.uses++;
                }
                size();
            }).start();
        }
    }
}
