// The lazily made singleton with a synchronized accessor, and mutable state under its own lock.
package benign;

public class LazySingletonSynchronized {
    private static LazySingletonSynchronized instance;
    private int calls;

    static synchronized LazySingletonSynchronized get() {
        if (instance == null) { //~ NORACE: guarded by the class object
            instance = new LazySingletonSynchronized(); //~ NORACE: guarded by the class object
        }
        return instance; //~ NORACE: guarded by the class object
    }

    synchronized int call() {
        return ++calls; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> get().call());
        other.start();
        get().call();
        other.join();
        System.out.println(get().call());
    }
}
