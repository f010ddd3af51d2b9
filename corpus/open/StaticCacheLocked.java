// selvedge: library=open.StaticCacheLocked
// The static utility with static synchronized methods: the class object guards map and counter.
package open;

import java.util.HashMap;
import java.util.Map;

public final class StaticCacheLocked {
    private static final Map<Integer, String> CACHE = new HashMap<>();
    private static int misses;

    private StaticCacheLocked() {
    }

    public static synchronized String roman(int number) {
        String known = CACHE.get(number); //~ NORACE: guarded by the class object
        if (known == null) {
            misses++; //~ NORACE: guarded by the class object
            known = "I".repeat(Math.max(number, 0));
            CACHE.put(number, known); //~ NORACE: guarded by the class object
        }
        return known;
    }

    public static synchronized int misses() {
        return misses; //~ NORACE: guarded by the class object
    }
}
