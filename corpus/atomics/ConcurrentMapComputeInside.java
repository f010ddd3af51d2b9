// The list is changed inside compute: the map holds the key's lock while the function runs.
package atomics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapComputeInside {
    private final ConcurrentHashMap<String, List<String>> groups = new ConcurrentHashMap<>();

    void join(String group, String name) {
        groups.compute(group, (key, members) -> {
            List<String> list = members == null ? new ArrayList<>() : members;
            list.add(name); //~ NORACE: compute excludes others for the key
            return list;
        });
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapComputeInside chat = new ConcurrentMapComputeInside();
        Thread a = new Thread(() -> chat.join("java", "ann"));
        Thread b = new Thread(() -> chat.join("java", "bob"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(chat.groups.get("java").size()); //~ NORACE: after both joins
    }
}
