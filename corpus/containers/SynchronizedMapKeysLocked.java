// Iterating the keys of a synchronized map under the map's own lock, as its documentation asks for.
package containers;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class SynchronizedMapKeysLocked {
    public static void main(String[] args) throws Exception {
        Map<String, Integer> stock = Collections.synchronizedMap(new HashMap<>());
        stock.put("bolt", 1);
        Thread clerk = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                stock.put("nut" + i, i); //~ NORACE: the wrapper locks itself
            }
        });
        clerk.start();
        int letters = 0;
        synchronized (stock) {
            for (String name : stock.keySet()) { //~ NORACE: the map is the lock of its views
                letters += name.length();
            }
        }
        clerk.join();
        System.out.println(letters > 0);
    }
}
