// The referenced method belongs to a class of the program, which inherits it from the library.
package containers;

import java.util.ArrayList;
import java.util.function.Consumer;

public class MethodReferenceInherited {
    static class Names extends ArrayList<String> {
        Consumer<String> adder() {
            return this::add; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Names names = new Names();
        Consumer<String> adder = names.adder();
        Thread other = new Thread(() -> adder.accept("a"));
        other.start();
        System.out.println(names.size()); //~ RACE
        other.join();
    }
}
