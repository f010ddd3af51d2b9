// The same method references, with the threads that run them joined before the next use, or under one lock.
package containers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

public class MethodReferenceAddsJoined {
    public static void main(String[] args) throws Exception {
        Supplier<List<Integer>> makes = ArrayList::new;
        List<Integer> list = makes.get();
        Map<String, String> map = new HashMap<>();
        list.add(1);
        Thread clears = new Thread(list::clear); //~ NORACE: started after the first use, joined before the next
        clears.start();
        BiFunction<String, String, String> puts = map::put; //~ NORACE: only called under the lock
        Thread other = new Thread(() -> {
            synchronized (map) {
                puts.apply("a", "b");
            }
        });
        other.start();
        synchronized (map) {
            System.out.println(map.get("a"));
        }
        clears.join();
        list.add(2);
        other.join();
        System.out.println(list.size() + map.size());
    }
}
