// A subList is a view of the list below: replaceAll through the view races with a set on the list.
package containers;

import java.util.ArrayList;
import java.util.List;

public class SubListShared {
    public static void main(String[] args) throws Exception {
        List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
        List<Integer> half = numbers.subList(0, 3);
        Thread doubler = new Thread(() -> half.replaceAll(n -> n * 2)); //~ RACE
        doubler.start();
        numbers.set(0, 42); //~ RACE
        doubler.join();
        System.out.println(numbers.size()); //~ NORACE: after the join
    }
}
