// Every thread fills collections of its own: the classes are not thread-safe and need not be.
package containers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class LocalCollections {
    static int words(String text) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> order = new ArrayList<>();
        for (String word : text.split(" ")) {
            if (counts.merge(word, 1, Integer::sum) == 1) { //~ NORACE: local to the call
                order.add(word); //~ NORACE: local to the call
            }
        }
        return order.size();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> words("to be or not to be"));
        Thread b = new Thread(() -> words("that is the question"));
        a.start();
        b.start();
        System.out.println(words("a rose is a rose"));
        a.join();
        b.join();
    }
}
