// As IteratorsLockedEach, but every thread locks the list.
package containers;

import java.util.ArrayList;
import java.util.List;

public class IteratorsLockedTogether {
    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(1);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                synchronized (numbers) {
                    numbers.listIterator().add(2); //~ NORACE: under the lock of the list
                }
            }).start();
        }
    }
}
