// Iterating the keys of a synchronized map without its lock: the iterator walks over the map inside while the other
// thread changes it.
package containers;

import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;

public class SynchronizedMapKeys {
    public static void main(String[] args) throws Exception {
        Map<String, Integer> stock = Collections.synchronizedMap(new HashMap<>());
        stock.put("bolt", 1); //~ NORACE: before the thread starts
        Thread clerk = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                stock.put("nut" + i, i); //~ RACE
            }
        });
        clerk.start();
        int letters = 0;
        try {
            for (String name : stock.keySet()) { //~ RACE
                letters += name.length();
            }
        } catch (ConcurrentModificationException e) {
            letters = -1;
        }
        clerk.join();
        System.out.println(letters != 0);
    }
}
