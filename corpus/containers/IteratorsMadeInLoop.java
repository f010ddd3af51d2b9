// The call that makes an iterator for another thread reads the list, which the thread of the turn before may change.
package containers;

import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;

public class IteratorsMadeInLoop {
    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(1);
        for (int i = 0; i < 2; i++) {
            ListIterator<Integer> own = numbers.listIterator(); //~ RACE
            new Thread(() -> own.add(2)).start(); //~ RACE
        }
    }
}
