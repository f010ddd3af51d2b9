// Lists, maps, their views and iterators, containers in containers.
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

public class Containers {
    static class Key {}
    static class Value {}

    static <T> List<T> listOf(T first, T second) {
        List<T> list = new ArrayList<>();
        list.add(first);
        list.add(second);
        return list;
    }

    static Object sink;

    public static void main(String[] arguments) {
        List<Key> keys = listOf(new Key(), new Key());
        List<Value> values = listOf(new Value(), new Value());
        Map<Key, Value> map = new HashMap<>();
        Iterator<Value> each = values.iterator();
        for (Key key : keys) map.put(key, each.next());
        for (Key key : map.keySet()) sink = map.get(key);
        for (Map.Entry<Key, Value> entry : map.entrySet()) sink = entry.getValue();
        Collection<Value> seen = map.values();
        Map<String, List<Value>> groups = new HashMap<>();
        groups.put("all", values);
        groups.put("seen", new ArrayList<>());
        groups.get("seen").addAll(seen);
        for (List<Value> group : groups.values()) sink = group.get(0);
        List<List<? extends Object>> lists = new ArrayList<>();
        lists.add(keys);
        lists.add(lists);
        sink = lists.get(1).get(0);
    }
}
