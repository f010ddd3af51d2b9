// The initialisers of two classes count in a static field of a third; two threads run them.
package order;

public class InitializersTouchThird {
    static class Registry {
        static int entries;
    }

    static class First {
        static final String NAME = String.valueOf(1);

        static {
            Registry.entries++; //~ RACE
        }
    }

    static class Second {
        static final String NAME = String.valueOf(2);

        static {
            Registry.entries++; //~ RACE
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(First.NAME)).start();
        System.out.println(Second.NAME);
    }
}
