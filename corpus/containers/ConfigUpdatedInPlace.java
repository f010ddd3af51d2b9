// The field is volatile, but an update changes the very map that readers hold.
package containers;

import java.util.HashMap;
import java.util.Map;

public class ConfigUpdatedInPlace {
    private volatile Map<String, String> settings = new HashMap<>();

    String get(String name) {
        return settings.get(name); //~ RACE
    }

    synchronized void set(String name, String value) {
        Map<String, String> current = settings;
        current.put(name, value); //~ RACE
        settings = current;
    }

    public static void main(String[] args) throws Exception {
        ConfigUpdatedInPlace config = new ConfigUpdatedInPlace();
        Thread reader = new Thread(() -> System.out.println(config.get("port") != null));
        reader.start();
        config.set("port", "80");
        reader.join();
    }
}
