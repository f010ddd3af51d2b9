// The initialiser of a class changes a map of another class, while a second thread uses that map.
package order;

import java.util.HashMap;
import java.util.Map;

public class InitializerRegistersOutside {
    static final Map<Integer, Integer> codecs = new HashMap<>();

    static class Codec {
        static final String NAME = String.valueOf(3);

        static {
            codecs.remove(1); //~ RACE
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(Codec.NAME)).start();
        codecs.put(1, 2); //~ RACE
    }
}
