// A synchronized method hands out an iterator: the iterator is new and its user's own, the list behind it is not.
package containers;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class IteratorOutlivesLock implements Iterable<Integer> {
    private final List<Integer> numbers = new ArrayList<>();

    synchronized void add(int number) {
        numbers.add(number); //~ RACE
    }

    @Override
    public synchronized Iterator<Integer> iterator() {
        return numbers.iterator(); //~ NORACE: under the lock
    }

    public static void main(String[] args) {
        IteratorOutlivesLock shared = new IteratorOutlivesLock();
        new Thread(() -> shared.add(1)).start();
        Iterator<Integer> all = shared.iterator();
        while (all.hasNext()) { //~ RACE
            System.out.println(all.next()); //~ RACE
        }
    }
}
