// A synchronized list must be locked by hand while iterating: the wrapper's iterator does not lock, so it races
// with the other thread's add.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;

public class SynchronizedListIterate {
    public static void main(String[] args) throws Exception {
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        names.add("first"); //~ NORACE: before the thread starts
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                names.add("n" + i); //~ RACE
            }
        });
        writer.start();
        int length = 0;
        try {
            for (String name : names) { //~ RACE
                length += name.length();
            }
        } catch (ConcurrentModificationException e) {
            length = -1;
        }
        writer.join();
        System.out.println(length != 0);
    }
}
