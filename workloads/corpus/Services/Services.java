// ServiceLoader: providers listed in META-INF/services, by constructor, loaded lazily and as a stream.

import java.util.*;

public class Services {
    public interface Codec {
        String encode(String text);
    }

    public static class Upper implements Codec {
        @Override public String encode(String text) { return text.toUpperCase(Locale.ROOT); }
    }

    public static class Reversed implements Codec {
        private final StringBuilder builder = new StringBuilder();
        public Reversed() { builder.append(">"); }
        @Override public String encode(String text) { return builder.append(text).reverse().toString(); }
    }

    public static void main(String[] args) {
        for (Codec codec : ServiceLoader.load(Codec.class)) {
            System.out.println(codec.encode("text"));
        }
        Optional<Codec> last = ServiceLoader.load(Codec.class).stream().map(ServiceLoader.Provider::get).reduce((left, right) -> right);
        System.out.println(last.isPresent() ? last.get().encode("last") : "none");
    }
}
