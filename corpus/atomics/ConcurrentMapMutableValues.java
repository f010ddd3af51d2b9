// The map is concurrent, the lists inside it are not: two threads add to the list of one key.
package atomics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapMutableValues {
    private final ConcurrentHashMap<String, List<String>> groups = new ConcurrentHashMap<>();

    void join(String group, String name) {
        groups.computeIfAbsent(group, key -> new ArrayList<>()).add(name); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapMutableValues chat = new ConcurrentMapMutableValues();
        Thread a = new Thread(() -> chat.join("java", "ann"));
        Thread b = new Thread(() -> chat.join("java", "bob"));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
