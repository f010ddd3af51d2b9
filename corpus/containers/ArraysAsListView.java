// Arrays.asList is a view of the array: writing the array in one thread races with reading the list in another.
package containers;

import java.util.Arrays;
import java.util.List;

public class ArraysAsListView {
    public static void main(String[] args) throws Exception {
        String[] names = {"ann", "bob"};
        List<String> view = Arrays.asList(names);
        Thread reader = new Thread(() -> view.get(0)); //~ RACE
        reader.start();
        names[0] = "eve"; //~ RACE
        reader.join();
        System.out.println(view.size());
    }
}
