// Bulk operations of a concurrent map with a threshold: their functions run in several threads at once.
package threads;

import java.util.concurrent.ConcurrentHashMap;

public class BulkOperationsOfMap {
    private static int visited;

    static class Sums {
        int calls;
    }

    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        map.forEach(1, (key, value) -> visited += value); //~ RACE
        Sums sums = new Sums();
        map.reduceValues(1, (one, other) -> {
            sums.calls++; //~ RACE
            return one + other;
        });
        System.out.println(visited + sums.calls); //~ NORACE: both operations have ended
    }
}
