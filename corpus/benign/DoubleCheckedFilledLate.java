// selvedge: library=benign.DoubleCheckedFilledLate
// Double-checked locking with a volatile field, but the object is published first and filled then.
package benign;

import java.util.HashMap;
import java.util.Map;

public class DoubleCheckedFilledLate {
    private volatile Map<String, String> settings;

    public String get(String key) {
        if (settings == null) {
            synchronized (this) {
                if (settings == null) {
                    settings = new HashMap<>();
                    settings.put("a", "1"); //~ RACE
                }
            }
        }
        return settings.get(key); //~ RACE
    }
}
