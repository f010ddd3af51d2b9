// A plain HashMap as a cache for two threads: put and get are not ordered, the table itself can break.
package containers;

import java.util.HashMap;
import java.util.Map;

public class SharedHashMap {
    private final Map<String, Integer> cache = new HashMap<>();

    int length(String key) {
        Integer known = cache.get(key); //~ RACE
        if (known == null) {
            known = key.length();
            cache.put(key, known); //~ RACE
        }
        return known;
    }

    public static void main(String[] args) throws Exception {
        SharedHashMap map = new SharedHashMap();
        Thread a = new Thread(() -> map.length("alpha"));
        Thread b = new Thread(() -> map.length("beta"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(map.cache.size() <= 2); //~ NORACE: after both joins
    }
}
