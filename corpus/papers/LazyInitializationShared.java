// Lazily computed int and long values, double-checked and unlocked, on one object: all race; the ints are idempotent
// and harmless, the longs may be torn.
package papers;

public class LazyInitializationShared {
    private int cachedInt;
    private long cachedLong;

    int doubleCheckedInt() {
        int h = cachedInt; //~ RACE: benign, idempotent
        if (h == 0) {
            synchronized (this) {
                if (cachedInt != 0) { //~ RACE: benign, idempotent; plainInt writes without the lock
                    return cachedInt; //~ RACE: benign, idempotent; plainInt writes without the lock
                }
                h = computeInt();
                cachedInt = h; //~ RACE: benign, idempotent
            }
        }
        return h;
    }

    int plainInt() {
        int h = cachedInt; //~ RACE: benign, idempotent
        if (h == 0) {
            h = computeInt();
            cachedInt = h; //~ RACE: benign, idempotent
        }
        return h;
    }

    long doubleCheckedLong() {
        long h = cachedLong; //~ RACE: a 64-bit value may be torn
        if (h == 0) {
            synchronized (this) {
                if (cachedLong != 0) { //~ RACE: plainLong writes without the lock
                    return cachedLong; //~ RACE: plainLong writes without the lock
                }
                h = computeLong();
                cachedLong = h; //~ RACE: a 64-bit value may be torn
            }
        }
        return h;
    }

    long plainLong() {
        long h = cachedLong; //~ RACE: a 64-bit value may be torn
        if (h == 0) {
            h = computeLong();
            cachedLong = h; //~ RACE: a 64-bit value may be torn
        }
        return h;
    }

    private int computeInt() {
        return 17;
    }

    private long computeLong() {
        return 17L << 33;
    }

    static void useAll(LazyInitializationShared lazy) {
        lazy.doubleCheckedInt();
        lazy.plainInt();
        lazy.doubleCheckedLong();
        lazy.plainLong();
    }

    public static void main(String[] args) throws Exception {
        LazyInitializationShared lazy = new LazyInitializationShared();
        Thread a = new Thread(() -> useAll(lazy));
        Thread b = new Thread(() -> useAll(lazy));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
