// A formatter writes into a builder that another thread appends to, and the library joins texts of which one
// is a builder: it is reached through an object, or an array, that the program made and passes.
package containers;

import java.util.Formatter;

public class FormatterOverShared {
    public static void main(String[] args) throws Exception {
        StringBuilder text = new StringBuilder();
        Formatter formatter = new Formatter(text);
        Thread formats = new Thread(() -> {
            formatter.format("%d", 1); //~ RACE
        });
        formats.start();
        text.append("x"); //~ RACE
        formats.join();

        StringBuilder part = new StringBuilder();
        Thread joins = new Thread(() -> {
            System.out.println(String.join(",", part, "b")); //~ RACE
        });
        joins.start();
        part.append("x"); //~ RACE
        joins.join();
        System.out.println(text.length() + part.length());
    }
}
