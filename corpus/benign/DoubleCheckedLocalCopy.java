// selvedge: library=benign.DoubleCheckedLocalCopy
// Double-checked locking with a volatile field and a local copy, for a mutable object that is filled before it is
// published.
package benign;

import java.util.HashMap;
import java.util.Map;

public class DoubleCheckedLocalCopy {
    private volatile Settings settings;

    public String get(String key) {
        return settings().values.get(key); //~ NORACE: filled before the volatile write
    }

    private Settings settings() {
        Settings known = settings; //~ NORACE: volatile
        if (known == null) {
            synchronized (this) {
                known = settings; //~ NORACE: volatile
                if (known == null) {
                    known = new Settings();
                    known.load();
                    settings = known; //~ NORACE: volatile
                }
            }
        }
        return known;
    }

    private static final class Settings {
        private final Map<String, String> values = new HashMap<>();
        private int loaded;

        void load() {
            values.put("a", "1"); //~ NORACE: nobody knows the object yet
            loaded++; //~ NORACE: nobody knows the object yet
        }
    }
}
