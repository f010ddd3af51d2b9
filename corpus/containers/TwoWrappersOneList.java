// Two synchronized wrappers around the same list lock themselves, not the list: they do not exclude each other.
package containers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class TwoWrappersOneList {
    public static void main(String[] args) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        List<Integer> odd = Collections.synchronizedList(numbers);
        List<Integer> even = Collections.synchronizedList(numbers);
        Thread other = new Thread(() -> {
            for (int i = 1; i < 20; i += 2) {
                odd.add(i); //~ RACE
            }
        });
        other.start();
        for (int i = 0; i < 20; i += 2) {
            even.add(i); //~ RACE
        }
        other.join();
        System.out.println(numbers.size() <= 20);
    }
}
