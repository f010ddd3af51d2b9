// The memoizing supplier that locks its captured holder for each look at the slot.
package modern;

import java.util.function.Supplier;

public class MemoizingSupplierLocked {
    static Supplier<String> memoize(Supplier<String> slow) {
        String[] holder = new String[1];
        return () -> {
            synchronized (holder) {
                if (holder[0] == null) { //~ NORACE: guarded by holder
                    holder[0] = slow.get(); //~ NORACE: guarded by holder
                }
                return holder[0]; //~ NORACE: guarded by holder
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Supplier<String> title = memoize(() -> "expensive");
        Thread other = new Thread(title::get);
        other.start();
        System.out.println(title.get());
        other.join();
    }
}
