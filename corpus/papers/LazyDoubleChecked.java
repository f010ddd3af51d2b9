// Double-checked int and long alone, with every write under the lock: only the unlocked first read races with them.
package papers;

public class LazyDoubleChecked {
    private int cachedInt;
    private long cachedLong;

    int intValue() {
        int h = cachedInt; //~ RACE: benign, idempotent
        if (h == 0) {
            synchronized (this) {
                h = cachedInt; //~ NORACE: all writes hold this lock
                if (h == 0) {
                    h = 23;
                    cachedInt = h; //~ RACE: benign, idempotent
                }
            }
        }
        return h;
    }

    long longValue() {
        long h = cachedLong; //~ RACE: a 64-bit value may be torn
        if (h == 0) {
            synchronized (this) {
                h = cachedLong; //~ NORACE: all writes hold this lock
                if (h == 0) {
                    h = 23L << 40;
                    cachedLong = h; //~ RACE: a 64-bit value may be torn
                }
            }
        }
        return h;
    }

    public static void main(String[] args) throws Exception {
        LazyDoubleChecked lazy = new LazyDoubleChecked();
        Runnable use = () -> {
            lazy.intValue();
            lazy.longValue();
        };
        Thread a = new Thread(use);
        Thread b = new Thread(use);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
