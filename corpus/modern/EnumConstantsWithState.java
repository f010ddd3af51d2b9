// Enum constants with a body and a table made at class initialisation, read by all threads.
package modern;

import java.util.EnumMap;
import java.util.Map;

public class EnumConstantsWithState {
    enum Op {
        PLUS {
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES {
            int apply(int a, int b) {
                return a * b;
            }
        };

        private static final Map<Op, String> SIGNS = new EnumMap<>(Op.class);

        static {
            SIGNS.put(PLUS, "+"); //~ NORACE: class initialisation
            SIGNS.put(TIMES, "*"); //~ NORACE: class initialisation
        }

        abstract int apply(int a, int b);

        String show(int a, int b) {
            return a + SIGNS.get(this) + b + "=" + apply(a, b); //~ NORACE: only read after initialisation
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> Op.PLUS.show(1, 2));
        other.start();
        System.out.println(Op.TIMES.show(3, 4));
        other.join();
    }
}
