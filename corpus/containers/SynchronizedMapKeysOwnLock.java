// The keys of a synchronized map are iterated under the monitor of the key set, which is not what the map locks.
package containers;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

public class SynchronizedMapKeysOwnLock {
    public static void main(String[] args) {
        Map<String, Integer> sizes = Collections.synchronizedMap(new HashMap<>());
        Set<String> names = sizes.keySet();
        new Thread(() -> sizes.put("late", 1)).start(); //~ RACE
        synchronized (names) {
            for (String name : names) { //~ RACE: the map locks itself
                System.out.println(name);
            }
        }
    }
}
