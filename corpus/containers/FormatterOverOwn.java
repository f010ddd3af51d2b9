// Each thread formats into a builder of its own, or into one that locks itself.
package containers;

import java.util.Formatter;

public class FormatterOverOwn {
    public static void main(String[] args) throws Exception {
        int[] lengths = new int[2];
        StringBuffer text = new StringBuffer();
        Formatter formatter = new Formatter(text);
        Thread formats = new Thread(() -> {
            formatter.format("%d", 1); //~ NORACE: only this thread uses the formatter, and the buffer locks itself
            StringBuilder own = new StringBuilder();
            new Formatter(own).format("%s", "a");
            lengths[0] = String.join(",", own, "b").length();
        });
        formats.start();
        text.append("x"); //~ NORACE: the buffer locks itself
        StringBuilder own = new StringBuilder();
        new Formatter(own).format("%s", "a");
        lengths[1] = String.join(",", own, "b").length();
        formats.join();
        System.out.println(lengths[0] + lengths[1]);
    }
}
