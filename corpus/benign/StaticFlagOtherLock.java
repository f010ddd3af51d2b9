// selvedge: library=benign.StaticFlagOtherLock
// As StaticFlagInitialised, but a second method loads under another lock.
package benign;

public class StaticFlagOtherLock {
    private static final Object OTHER = new Object();
    private static volatile boolean loaded;
    private static int longest;

    public static int count() {
        if (!loaded) {
            synchronized (StaticFlagOtherLock.class) {
                if (!loaded) {
                    longest = 5; //~ RACE
                    loaded = true; //~ NORACE: volatile
                }
            }
        }
        return longest; //~ RACE
    }

    public static void preload() {
        synchronized (OTHER) {
            if (!loaded) {
                longest = 5; //~ RACE
                loaded = true; //~ NORACE: volatile
            }
        }
    }
}
