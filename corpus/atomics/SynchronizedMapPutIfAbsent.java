// containsKey and put on a synchronized map are two steps: the value may be made twice, but no access races.
package atomics;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class SynchronizedMapPutIfAbsent {
    private final Map<String, Integer> ids = Collections.synchronizedMap(new HashMap<>());

    void register(String name) {
        if (!ids.containsKey(name)) { //~ NORACE: the wrapper locks; together not atomic
            ids.put(name, ids.size()); //~ NORACE: the wrapper locks; together not atomic
        }
    }

    public static void main(String[] args) throws Exception {
        SynchronizedMapPutIfAbsent names = new SynchronizedMapPutIfAbsent();
        Thread other = new Thread(() -> names.register("ann"));
        other.start();
        names.register("ann");
        other.join();
        System.out.println(names.ids.size());
    }
}
