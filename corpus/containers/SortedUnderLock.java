// Collections.sort under the lock that the readers hold too.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SortedUnderLock {
    private final List<String> names = new ArrayList<>(List.of("weft", "warp", "loom"));

    synchronized void sort() {
        Collections.sort(names); //~ NORACE: guarded by this
    }

    synchronized String first() {
        return names.get(0); //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        SortedUnderLock list = new SortedUnderLock();
        Thread sorter = new Thread(list::sort);
        sorter.start();
        System.out.println(list.first().length());
        sorter.join();
    }
}
