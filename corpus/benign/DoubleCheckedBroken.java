// Double-checked locking without volatile: the unlocked first check and the return race with the write.
package benign;

public class DoubleCheckedBroken {
    private static DoubleCheckedBroken instance;
    private final int size;

    private DoubleCheckedBroken() {
        size = 16;
    }

    static DoubleCheckedBroken get() {
        if (instance == null) { //~ RACE
            synchronized (DoubleCheckedBroken.class) {
                if (instance == null) { //~ NORACE: all writes hold this lock
                    instance = new DoubleCheckedBroken(); //~ RACE
                }
            }
        }
        return instance; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(DoubleCheckedBroken::get);
        other.start();
        DoubleCheckedBroken mine = get();
        System.out.println(mine == null || mine.size == 16);
        other.join();
    }
}
