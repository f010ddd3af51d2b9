// The initialiser of a class writes a static field of another class, while a second thread uses that one.
package order;

public class InitializerTouchesOther {
    static int loaded;

    static class Plugin {
        static final String NAME = String.valueOf(7);

        static {
            loaded = 1; //~ RACE
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(Plugin.NAME)).start();
        System.out.println(loaded); //~ RACE
    }
}
