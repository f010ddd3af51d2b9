// The lists are changed inside compute, but a reader takes one out of the map and walks it without the key's lock.
package atomics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapComputeReadOutside {
    private final ConcurrentHashMap<String, List<String>> groups = new ConcurrentHashMap<>();

    void join(String group, String name) {
        groups.compute(group, (key, members) -> {
            List<String> list = members == null ? new ArrayList<>() : members;
            list.add(name); //~ RACE
            return list;
        });
    }

    int size(String group) {
        List<String> members = groups.get(group);
        return members == null ? 0 : members.size(); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        ConcurrentMapComputeReadOutside chat = new ConcurrentMapComputeReadOutside();
        Thread a = new Thread(() -> chat.join("java", "ann"));
        a.start();
        System.out.println(chat.size("java") <= 1);
        a.join();
    }
}
