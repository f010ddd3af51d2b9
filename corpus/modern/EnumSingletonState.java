// An enum singleton is safely made by the JVM, but its mutable field is as shared as any other.
package modern;

public class EnumSingletonState {
    enum Registry {
        INSTANCE;

        private int registered;
        private final int capacity = 10;

        boolean register() {
            if (registered == capacity) { //~ RACE
                return false;
            }
            registered++; //~ RACE
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Registry.INSTANCE::register);
        Thread b = new Thread(Registry.INSTANCE::register);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
