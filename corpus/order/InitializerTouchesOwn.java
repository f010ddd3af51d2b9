// The twin of InitializerTouchesOther: the initialiser writes a static field of its own class.
package order;

public class InitializerTouchesOwn {
    static class Plugin {
        static int loaded;

        static {
            loaded = 1; //~ NORACE: before anybody uses the class
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(Plugin.loaded)).start(); //~ NORACE: after the initialiser
        System.out.println(Plugin.loaded); //~ NORACE: after the initialiser
    }
}
