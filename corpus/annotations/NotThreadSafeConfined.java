// A @NotThreadSafe class used as it should be: an instance for each thread.
package annotations;

import net.jcip.annotations.NotThreadSafe;

public class NotThreadSafeConfined {
    @NotThreadSafe
    static class Tokenizer {
        private final String text;
        private int at;

        Tokenizer(String text) {
            this.text = text;
        }

        char next() {
            return text.charAt(at++); //~ NORACE: one instance for each thread
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> new Tokenizer("abc").next());
        other.start();
        System.out.println(new Tokenizer("xyz").next());
        other.join();
    }
}
