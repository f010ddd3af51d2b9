// The lazily computed values with one object for each thread: nothing is shared.
package papers;

public class LazyInitializationSeparate {
    private int cachedInt;
    private long cachedLong;

    int doubleCheckedInt() {
        int h = cachedInt; //~ NORACE: an object for each thread
        if (h == 0) {
            synchronized (this) {
                if (cachedInt != 0) {
                    return cachedInt;
                }
                h = 17;
                cachedInt = h; //~ NORACE: an object for each thread
            }
        }
        return h;
    }

    long plainLong() {
        long h = cachedLong; //~ NORACE: an object for each thread
        if (h == 0) {
            h = 17L << 33;
            cachedLong = h; //~ NORACE: an object for each thread
        }
        return h;
    }

    static void useAll(LazyInitializationSeparate lazy) {
        lazy.doubleCheckedInt();
        lazy.plainLong();
    }

    public static void main(String[] args) throws Exception {
        LazyInitializationSeparate one = new LazyInitializationSeparate();
        LazyInitializationSeparate two = new LazyInitializationSeparate();
        Thread a = new Thread(() -> useAll(one));
        Thread b = new Thread(() -> useAll(two));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(one.doubleCheckedInt() + two.plainLong());
    }
}
