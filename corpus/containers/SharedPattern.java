// The compiled Pattern is immutable and may be shared; each call makes its own matcher.
package containers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class SharedPattern {
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    static boolean hasDigits(String text) {
        Matcher matcher = DIGITS.matcher(text);
        return matcher.find(); //~ NORACE: a matcher for each call
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> hasDigits("room 101"));
        other.start();
        System.out.println(hasDigits("no number"));
        other.join();
    }
}
