// Main uses a class for the first time when the worker runs already.
package order;

public class InitializerAfterStart {
    static int level;

    static class Settings {
        static final String NAME = String.valueOf(4);

        static {
            level = 2; //~ RACE
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(level)).start(); //~ RACE
        System.out.println(Settings.NAME);
    }
}
