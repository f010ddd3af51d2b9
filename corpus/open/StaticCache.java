// selvedge: library=open.StaticCache
// A static utility with a hidden static HashMap: no object in sight, and still shared by every thread.
package open;

import java.util.HashMap;
import java.util.Map;

public final class StaticCache {
    private static final Map<Integer, String> CACHE = new HashMap<>();

    private StaticCache() {
    }

    public static String roman(int number) {
        String known = CACHE.get(number); //~ RACE
        if (known == null) {
            known = "I".repeat(Math.max(number, 0));
            CACHE.put(number, known); //~ RACE
        }
        return known;
    }
}
