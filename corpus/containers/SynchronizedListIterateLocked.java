// Iterating under the synchronized list's own lock, as its documentation asks for.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedListIterateLocked {
    public static void main(String[] args) throws Exception {
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        names.add("first");
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                names.add("n" + i); //~ NORACE: the wrapper locks itself
            }
        });
        writer.start();
        int length = 0;
        synchronized (names) {
            for (String name : names) { //~ NORACE: the wrapper is the lock
                length += name.length();
            }
        }
        writer.join();
        System.out.println(length > 0);
    }
}
