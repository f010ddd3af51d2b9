// Each thread has its own iterator of one list, and locks the iterator: these are two locks, and one list.
package containers;

import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;

public class IteratorsLockedEach {
    static void append(ListIterator<Integer> own) {
        synchronized (own) {
            own.add(2); //~ RACE
        }
    }

    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(1);
        ListIterator<Integer> first = numbers.listIterator();
        ListIterator<Integer> second = numbers.listIterator();
        new Thread(() -> append(first)).start();
        new Thread(() -> append(second)).start();
    }
}
