// The search of a concurrent map returns with its first result, while other tasks still look: what they read
// must not change then.
package threads;

import java.util.concurrent.ConcurrentHashMap;

public class BulkSearchReadsOn {
    static class Limit {
        int value = 1;
    }

    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        Limit limit = new Limit();
        Integer found = map.searchValues(1, value -> {
            int least = limit.value; //~ RACE
            return value > least ? value : null;
        });
        limit.value = 4; //~ RACE
        System.out.println(found);
    }
}
