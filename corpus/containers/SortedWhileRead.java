// Collections.sort changes the list that it is given: another thread that reads the list races with the library's code.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SortedWhileRead {
    private final List<String> names = new ArrayList<>(List.of("weft", "warp", "loom"));

    void sort() {
        Collections.sort(names); //~ RACE
    }

    String first() {
        return names.get(0); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        SortedWhileRead list = new SortedWhileRead();
        Thread sorter = new Thread(list::sort);
        sorter.start();
        System.out.println(list.first().length());
        sorter.join();
    }
}
