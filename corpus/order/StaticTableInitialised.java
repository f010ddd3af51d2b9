// A lookup table filled in a static initialiser and only read later: class initialisation orders it.
package order;

import java.util.HashMap;
import java.util.Map;

public class StaticTableInitialised {
    static class Roman {
        private static final Map<Character, Integer> VALUES = new HashMap<>();
        private static int entries;

        static {
            VALUES.put('I', 1); //~ NORACE: class initialisation
            VALUES.put('V', 5); //~ NORACE: class initialisation
            entries = 2; //~ NORACE: class initialisation
        }

        static int value(char c) {
            return entries == 0 ? 0 : VALUES.get(c); //~ NORACE: read only
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> Roman.value('I'));
        Thread b = new Thread(() -> Roman.value('V'));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(Roman.value('V'));
    }
}
