// Two producers append to one ArrayList: elements get lost or the append fails, a race on the list.
package containers;

import java.util.ArrayList;
import java.util.List;

public class SharedArrayList {
    public static void main(String[] args) throws Exception {
        List<Integer> results = new ArrayList<>(256);
        Runnable producer = () -> {
            for (int i = 0; i < 100; i++) {
                results.add(i); //~ RACE
            }
        };
        Thread a = new Thread(producer);
        Thread b = new Thread(producer);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(results.size() <= 200); //~ NORACE: after both joins
    }
}
