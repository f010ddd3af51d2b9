// An instance of a @NotThreadSafe class is shared by two threads, against its declaration.
package annotations;

import net.jcip.annotations.NotThreadSafe;

public class NotThreadSafeShared {
    @NotThreadSafe
    static class Tokenizer {
        private final String text = "abcdef";
        private int at;

        char next() {
            return text.charAt(at++); //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Tokenizer tokens = new Tokenizer();
        Thread other = new Thread(tokens::next);
        other.start();
        tokens.next();
        other.join();
    }
}
