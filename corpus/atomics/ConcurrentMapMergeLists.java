// merge joins the old list and the new one while it holds the key: both belong to this call alone.
package atomics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapMergeLists {
    private final ConcurrentHashMap<String, List<String>> groups = new ConcurrentHashMap<>();

    void join(String group, String name) {
        List<String> one = new ArrayList<>();
        one.add(name); //~ NORACE: not yet published
        groups.merge(group, one, (old, added) -> {
            old.addAll(added); //~ NORACE: merge excludes others for the key
            return old;
        });
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapMergeLists chat = new ConcurrentMapMergeLists();
        Thread a = new Thread(() -> chat.join("java", "ann"));
        Thread b = new Thread(() -> chat.join("java", "bob"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(chat.groups.get("java").size()); //~ NORACE: after both joins
    }
}
