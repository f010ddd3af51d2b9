// The textbook mistake: a lazily made singleton without any synchronisation, may be made twice.
package benign;

public class LazySingletonUnsafe {
    private static LazySingletonUnsafe instance;

    private LazySingletonUnsafe() {
    }

    static LazySingletonUnsafe get() {
        if (instance == null) { //~ RACE
            instance = new LazySingletonUnsafe(); //~ RACE
        }
        return instance; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(LazySingletonUnsafe::get);
        other.start();
        get();
        other.join();
    }
}
