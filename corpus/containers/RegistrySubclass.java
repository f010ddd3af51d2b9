// A registry that is a HashMap, used by its own type: two threads register without a lock.
package containers;

import java.util.HashMap;

public class RegistrySubclass {
    static class Registry extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1L;

        void register(String name) {
            put(name, name.length()); //~ RACE
        }
    }

    private final Registry registry = new Registry();

    public static void main(String[] args) throws Exception {
        RegistrySubclass program = new RegistrySubclass();
        Thread first = new Thread(() -> program.registry.register("first"));
        Thread second = new Thread(() -> program.registry.put("second", 2)); //~ RACE
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
