// A comparator with a counter, used by a sort in one thread and by another sort in a second thread.
package modern;

import java.util.Arrays;
import java.util.Comparator;

public class ComparatorState {
    static class Counting implements Comparator<String> {
        int comparisons;

        @Override
        public int compare(String a, String b) {
            comparisons++; //~ RACE: called back by the library's sort
            return a.compareTo(b);
        }
    }

    public static void main(String[] args) throws Exception {
        Counting order = new Counting();
        String[] left = {"c", "a", "b"};
        String[] right = {"z", "y", "x"};
        Thread sorter = new Thread(() -> Arrays.sort(left, order)); //~ NORACE: the sorter's own array
        sorter.start();
        Arrays.sort(right, order); //~ NORACE: main's own array
        sorter.join();
        System.out.println(left[0] + right[0]);
    }
}
