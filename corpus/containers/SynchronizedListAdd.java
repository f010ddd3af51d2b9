// The same producers with a synchronized list: each call locks the list inside, and the size is read after the joins.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedListAdd {
    public static void main(String[] args) throws Exception {
        List<Integer> results = Collections.synchronizedList(new ArrayList<>());
        Runnable producer = () -> {
            for (int i = 0; i < 100; i++) {
                results.add(i); //~ NORACE: the wrapper locks
            }
        };
        Thread a = new Thread(producer);
        Thread b = new Thread(producer);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(results.size());
    }
}
