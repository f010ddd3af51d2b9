// A flag that the initialiser of another class unsets, whenever that class is first used.
package order;

public class FlagUnsetByOtherInitializer {
    static volatile boolean ready;
    private static int entries;

    static class Reset {
        static int uses;

        static {
            ready = false;
        }
    }

    static int size() {
        if (!ready) {
            synchronized (FlagUnsetByOtherInitializer.class) {
                if (!ready) {
                    entries = 16; //~ RACE: after the flag was unset, while another reads
                    ready = true;
                }
            }
        }
        return entries; //~ RACE: another thread may set it up again
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                size();
                synchronized (Reset.class) {
                    Reset.uses++;
                }
                size();
            }).start();
        }
    }
}
