// The HashMap cache with one lock around look-up and insertion.
package containers;

import java.util.HashMap;
import java.util.Map;

public class SharedHashMapLocked {
    private final Object lock = new Object();
    private final Map<String, Integer> cache = new HashMap<>();

    int length(String key) {
        synchronized (lock) {
            Integer known = cache.get(key); //~ NORACE: guarded by lock
            if (known == null) {
                known = key.length();
                cache.put(key, known); //~ NORACE: guarded by lock
            }
            return known;
        }
    }

    public static void main(String[] args) throws Exception {
        SharedHashMapLocked map = new SharedHashMapLocked();
        Thread a = new Thread(() -> map.length("alpha"));
        Thread b = new Thread(() -> map.length("beta"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(map.cache.size());
    }
}
