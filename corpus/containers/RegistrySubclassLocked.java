// A registry that is a HashMap whose own methods take its lock before they do what the map does.
package containers;

import java.util.HashMap;
import java.util.Map;

public class RegistrySubclassLocked {
    static class Registry extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Integer put(String name, Integer value) {
            return super.put(name, value); //~ NORACE: under the lock
        }

        @Override
        public synchronized Integer get(Object name) {
            return super.get(name); //~ NORACE: under the lock
        }
    }

    private final Registry registry = new Registry();

    public static void main(String[] args) throws Exception {
        RegistrySubclassLocked program = new RegistrySubclassLocked();
        Map<String, Integer> map = program.registry;
        Thread first = new Thread(() -> program.registry.put("first", 1)); //~ NORACE: the registry locks
        Thread second = new Thread(() -> map.put("second", 2)); //~ NORACE: the registry locks
        first.start();
        second.start();
        System.out.println(map.get("third")); //~ NORACE: the registry locks
        first.join();
        second.join();
    }
}
