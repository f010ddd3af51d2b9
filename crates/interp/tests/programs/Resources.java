import java.util.ArrayList;
import java.util.List;

/** try-with-resources: order of closing, suppressed exceptions, null resources, existing variables. */
public class Resources {
    static List<String> events = new ArrayList<>();

    static class Res implements AutoCloseable {
        final String name;
        final boolean failing;

        Res(String name, boolean failing) {
            if (name.equals("bad")) throw new IllegalStateException("cannot open " + name);
            this.name = name;
            this.failing = failing;
            events.add("open " + name);
        }

        @Override public void close() {
            events.add("close " + name);
            if (failing) throw new IllegalArgumentException("closing " + name);
        }
    }

    static String use(boolean body, boolean first, boolean second) {
        events.clear();
        String result;
        try (Res a = new Res("a", first); Res b = new Res("b", second)) {
            events.add("body");
            if (body) throw new RuntimeException("body");
            result = "fine";
        } catch (RuntimeException e) {
            result = e.getMessage();
            for (Throwable s : e.getSuppressed()) result += " suppressed(" + s.getMessage() + ")";
        } finally {
            events.add("finally");
        }
        return result + " " + events;
    }

    static int early() {
        try (Res r = new Res("r", false)) {
            return events.size();
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 8; i++) System.out.println(use((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
        events.clear();
        try (Res none = null) {
            events.add("null resource");
        }
        System.out.println(early() + " " + events);
        events.clear();
        try (Res a = new Res("a", true); Res bad = new Res("bad", false)) {
            events.add("unreachable");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + e.getSuppressed().length + events);
        }
        Res existing = new Res("existing", false);
        try (existing) {
            events.add("using " + existing.name);
        }
        System.out.println(events);
        Exception self = new Exception("self");
        try {
            self.addSuppressed(self);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
