package credence;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** What is made below a constructor that callers call is each caller's own, also where others like it are kept. */
public class Built {
    private static final Map<String, Rules> KEPT = Collections.synchronizedMap(new HashMap<>());

    static class Token {
        private int doubtedBuilt;
        private int credibleKept;

        void step() {
            if (doubtedBuilt++ > 3) {
                doubtedBuilt = 0;
            }
        }

        void stepKept() {
            if (credibleKept++ > 3) {
                credibleKept = 0;
            }
        }
    }

    static class Rules {
        private final Map<String, Token> tokens = Collections.synchronizedMap(new HashMap<>());

        static Rules parse(String text) {
            Rules rules = new Rules();
            for (String word : text.split(" ")) {
                rules.tokens.put(word, new Token());
            }
            return rules;
        }
    }

    private final int size;

    public Built(String text) {
        Rules rules = Rules.parse(text);
        for (Token token : rules.tokens.values()) {
            token.step();
        }
        size = rules.tokens.size();
    }

    public static void keep(String text) {
        KEPT.put(text, Rules.parse(text));
    }

    public static void use(String text) {
        for (Token token : KEPT.get(text).tokens.values()) {
            token.stepKept();
        }
    }

    public int size() {
        return size;
    }
}
