// The configuration is never changed: an update fills a new map and publishes it through a volatile field.
package containers;

import java.util.HashMap;
import java.util.Map;

public class ConfigSnapshot {
    private volatile Map<String, String> settings = new HashMap<>();

    String get(String name) {
        return settings.get(name); //~ NORACE: a map that nobody changes any more
    }

    synchronized void set(String name, String value) {
        Map<String, String> next = new HashMap<>(settings); //~ NORACE: a map that nobody changes any more
        next.put(name, value); //~ NORACE: not yet published
        settings = next;
    }

    public static void main(String[] args) throws Exception {
        ConfigSnapshot config = new ConfigSnapshot();
        Thread reader = new Thread(() -> config.get("port"));
        Thread writer = new Thread(() -> config.set("host", "localhost"));
        reader.start();
        writer.start();
        config.set("port", "80");
        reader.join();
        writer.join();
    }
}
