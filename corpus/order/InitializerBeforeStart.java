// Main uses a class for the first time before it starts the worker: what the initialiser did is done.
package order;

public class InitializerBeforeStart {
    static int level;

    static class Settings {
        static final String NAME = String.valueOf(4);

        static {
            level = 2; //~ NORACE
        }
    }

    public static void main(String[] args) {
        System.out.println(Settings.NAME);
        new Thread(() -> System.out.println(level)).start(); //~ NORACE
    }
}
