// Double-checked locking done right: the field is volatile.
package benign;

public class DoubleCheckedVolatile {
    private static volatile DoubleCheckedVolatile instance;
    private int size;

    private DoubleCheckedVolatile() {
        size = 16; //~ NORACE: before the volatile write
    }

    static DoubleCheckedVolatile get() {
        DoubleCheckedVolatile result = instance; //~ NORACE: volatile
        if (result == null) {
            synchronized (DoubleCheckedVolatile.class) {
                result = instance; //~ NORACE: volatile
                if (result == null) {
                    result = new DoubleCheckedVolatile();
                    instance = result; //~ NORACE: volatile
                }
            }
        }
        return result;
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> System.out.print(get().size == 16 ? "" : "?")); //~ NORACE: read only
        other.start();
        System.out.println(get().size); //~ NORACE: read only after publication
        other.join();
    }
}
