// A memoizing supplier written as a lambda over a captured holder array: get and set of the slot race.
package modern;

import java.util.function.Supplier;

public class MemoizingSupplier {
    static Supplier<String> memoize(Supplier<String> slow) {
        String[] holder = new String[1];
        return () -> {
            if (holder[0] == null) { //~ RACE
                holder[0] = slow.get(); //~ RACE
            }
            return holder[0]; //~ RACE
        };
    }

    public static void main(String[] args) throws Exception {
        Supplier<String> title = memoize(() -> "expensive");
        Thread other = new Thread(title::get);
        other.start();
        title.get();
        other.join();
    }
}
