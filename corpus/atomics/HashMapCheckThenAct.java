// The same check-then-act on a plain HashMap: now the accesses themselves race.
package atomics;

import java.util.HashMap;
import java.util.Map;

public class HashMapCheckThenAct {
    private final Map<String, Integer> ids = new HashMap<>();

    void register(String name) {
        if (!ids.containsKey(name)) { //~ RACE
            ids.put(name, 1); //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        HashMapCheckThenAct names = new HashMapCheckThenAct();
        Thread other = new Thread(() -> names.register("ann"));
        other.start();
        names.register("ann");
        other.join();
    }
}
