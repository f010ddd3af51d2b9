// The twin whose table is filled on demand: the static initialiser is ordered, the later put is not.
package order;

import java.util.HashMap;
import java.util.Map;

public class StaticTableGrowsLater {
    static class Roman {
        private static final Map<Character, Integer> VALUES = new HashMap<>();

        static {
            VALUES.put('I', 1); //~ NORACE: class initialisation
        }

        static int value(char c) {
            if (!VALUES.containsKey(c)) { //~ RACE
                VALUES.put(c, c - 'A'); //~ RACE
            }
            return c;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> Roman.value('V'));
        Thread b = new Thread(() -> Roman.value('X'));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
