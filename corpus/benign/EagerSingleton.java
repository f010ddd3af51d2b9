// A singleton made in the static initialiser: safely published, but its plain counter is shared by all.
package benign;

public class EagerSingleton {
    private static final EagerSingleton INSTANCE = new EagerSingleton();
    private int calls;
    private String name = "eager";

    static EagerSingleton get() {
        return INSTANCE; //~ NORACE: class initialisation
    }

    String call() {
        calls++; //~ RACE
        return name; //~ NORACE: never written after construction
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> get().call());
        other.start();
        get().call();
        other.join();
    }
}
