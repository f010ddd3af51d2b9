// selvedge: library=benign.StaticFlagInitialised
// A static table beside a volatile flag, tested twice, filled in a helper under the lock of the class.
package benign;

import java.util.ArrayList;
import java.util.List;

public class StaticFlagInitialised {
    private static volatile boolean loaded;
    private static List<String> names;
    private static int longest;

    public static int count() {
        if (!loaded) {
            synchronized (StaticFlagInitialised.class) {
                if (!loaded) {
                    load();
                    loaded = true; //~ NORACE: volatile
                }
            }
        }
        return names.size() + longest; //~ NORACE: the flag was seen
    }

    private static void load() {
        names = new ArrayList<>(); //~ NORACE: before the flag is set
        names.add("first"); //~ NORACE: before the flag is set
        longest = 5; //~ NORACE: before the flag is set
    }
}
