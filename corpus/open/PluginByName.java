// selvedge: library=open.PluginByName
// A factory that makes its plug-ins by reflection and hands them out through a concurrent map. What the
// constructors write was written before anybody could know the object, exactly as with new.
package open;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class PluginByName {
    private final Map<String, Plugin> plugins = new ConcurrentHashMap<>();

    public String greet(String name) throws ReflectiveOperationException {
        Plugin plugin = plugins.get(name);
        if (plugin == null) {
            plugin = (Plugin) Class.forName(name).getDeclaredConstructor().newInstance();
            plugins.put(name, plugin);
        }
        return plugin.greeting();
    }

    /** What can be plugged in. */
    abstract static class Plugin {
        abstract String greeting();
    }

    /** A plug-in. */
    static class Polite extends Plugin {
        private String greeting;

        Polite() {
            greeting = "good day"; //~ NORACE: newInstance hands the object out when its constructor has returned
        }

        @Override
        String greeting() {
            return greeting;
        }
    }

    /** A plug-in that changes later. */
    static class Moody extends Plugin {
        private int asked;

        Moody() {
            asked = 1;
        }

        @Override
        String greeting() {
            asked++; //~ RACE
            return asked % 2 == 0 ? "hm" : "hello"; //~ RACE
        }
    }
}
