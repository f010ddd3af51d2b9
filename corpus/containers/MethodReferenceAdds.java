// Method references to methods of a library class that is not thread-safe: no lambda of the program makes the calls.
package containers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;

public class MethodReferenceAdds {
    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>();
        Map<String, String> map = new HashMap<>();
        Thread clears = new Thread(list::clear); //~ RACE
        clears.start();
        IntConsumer adds = list::add; //~ RACE
        adds.accept(1);
        BiFunction<String, String, String> puts = map::put; //~ RACE
        Thread other = new Thread(() -> puts.apply("a", "b"));
        other.start();
        System.out.println(map.get("a")); //~ RACE
        clears.join();
        other.join();
        System.out.println(list.size() + map.size());
    }
}
