// A regular expression's Matcher carries the state of the search: two threads on one matcher race.
package containers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class SharedMatcher {
    private static final Matcher DIGITS = Pattern.compile("[0-9]+").matcher("");

    static boolean hasDigits(String text) {
        try {
            return DIGITS.reset(text).find(); //~ RACE
        } catch (RuntimeException e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> hasDigits("room 101"));
        other.start();
        hasDigits("no number");
        other.join();
    }
}
